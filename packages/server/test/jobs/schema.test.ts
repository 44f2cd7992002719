import { randomBytes } from 'node:crypto';
import pg from 'pg';
import pino from 'pino';
import { expect, inject, test } from 'vitest';
import { migrateToLatest } from '#platform/database/schema/migrate.ts';
import { jobSchemaVersion } from '#platform/database/schema/job-schema.ts';

test('twenty processes that start concurrently migrate an empty database to the newest schema', async () => {
  const url = new URL(inject('templateUrl'));
  url.pathname = '/postgres';
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  const name = `roster_empty_${randomBytes(6).toString('hex')}`;
  await admin.query(`create database ${name}`);
  try {
    const empty = new URL(url);
    empty.pathname = `/${name}`;
    const log = pino({ level: 'silent' });
    await Promise.all(Array.from({ length: 20 }, () => migrateToLatest(empty.href, log)));
    const client = new pg.Client({ connectionString: empty.href });
    await client.connect();
    // The source has this version as a constant. A start can then see that no migration is needed
    // without loading the library.
    const { rows } = await client.query('select max(id) as newest from roster_jobs.migrations');
    await client.end();
    expect(rows).toEqual([{ newest: jobSchemaVersion }]);
  } finally {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
});
