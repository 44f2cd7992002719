import pg from 'pg';
import pino from 'pino';
import { describeSchema } from '../../packages/server/src/platform/database/schema/describe-schema.ts';
import { startThrowawayPostgres } from '../../packages/server/src/platform/database/embedded-postgres.ts';
import { migrateToLatest } from '../../packages/server/src/platform/database/schema/migrate.ts';

/** docs/schema.sql: what the migrations make of an empty database, on a PostgreSQL of its own that is gone afterwards. */
export async function schemaDump(): Promise<string> {
  await using server = await startThrowawayPostgres();
  await migrateToLatest(server.url, pino({ level: 'silent' }));
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return `-- Written by \`npm run generate\` from a freshly migrated database; change it by a migration.\n\n${await describeSchema(client)}`;
  } finally {
    await client.end();
  }
}
