import { randomBytes } from 'node:crypto';
import pg from 'pg';
import pino from 'pino';
import { expect, inject, test } from 'vitest';
import { migrateToLatest } from '#platform/database/schema/migrate.ts';
import { jobSchemaVersion } from '#platform/database/schema/job-schema.ts';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';

const log = pino({ level: 'silent' });

/** Runs `work` on an empty database. `client` is connected to it. */
async function onEmptyDatabase(work: (url: string, client: pg.Client) => Promise<void>): Promise<void> {
  const url = new URL(inject('templateUrl'));
  url.pathname = '/postgres';
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  const name = `roster_empty_${randomBytes(6).toString('hex')}`;
  await admin.query(`create database ${name}`);
  try {
    url.pathname = `/${name}`;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    try {
      await work(url.href, client);
    } finally {
      await client.end();
    }
  } finally {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}

test('twenty processes that start concurrently migrate an empty database to the newest schema', async () => {
  await onEmptyDatabase(async (url, client) => {
    await Promise.all(Array.from({ length: 20 }, () => migrateToLatest(url, log)));
    // The source has this version as a constant. A start can then see that no migration is needed
    // without loading the library.
    const { rows } = await client.query('select max(id) as newest from roster_jobs.migrations');
    expect(rows).toEqual([{ newest: jobSchemaVersion }]);
  });
});

test('a process does not begin to migrate while another one migrates the schema of the jobs', async () => {
  await onEmptyDatabase(async (url, client) => {
    await client.query('select pg_advisory_lock($1::bigint)', [advisoryLocks.jobSchema]);
    const migrated = migrateToLatest(url, log);
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
    const { rows } = await client.query(`select from pg_class where relname = 'accounts'`);
    expect(rows).toHaveLength(0);
    await client.query('select pg_advisory_unlock($1::bigint)', [advisoryLocks.jobSchema]);
    await migrated;
  });
});
