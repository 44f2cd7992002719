import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { describeSchema } from '../../packages/server/src/db/describe-schema.ts';
import { startEmbeddedPostgres } from '../../packages/server/src/db/embedded/server.ts';
import { migrateToLatest } from '../../packages/server/src/db/migrate.ts';

/** docs/schema.sql: what the migrations make of an empty database, on a PostgreSQL of its own that is gone afterwards. */
export async function schemaDump(): Promise<string> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-generate-'));
  try {
    const log = pino({ level: 'silent' });
    await using server = await startEmbeddedPostgres({ dataDir: directory, log, settings: { fsync: 'off' } });
    await migrateToLatest(server.url, log);
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      return `-- Written by \`npm run generate\` from a freshly migrated database; change it by a migration.\n\n${await describeSchema(client)}`;
    } finally {
      await client.end();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
