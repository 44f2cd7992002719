import pino from 'pino';
import { expect, test } from 'vitest';
import { createContext } from '#app/create-context.ts';
import { makePartitions } from '#pipeline/log/coming-partitions.ts';
import { openConnection } from '#platform/database/connection/open-connection.ts';
import { migrateToLatest } from '#platform/database/schema/migrate.ts';
import { createTestContext } from '../support/context.ts';

test('every connection has the settings that the statements need, whatever the settings of the server are', async () => {
  await using context = await createTestContext();
  await using worker = createContext(context.config, 'worker', context);
  for (const pool of [context.pool, context.searchPool, worker.pool]) {
    expect((await pool.query('show jit')).rows).toEqual([{ jit: 'off' }]);
  }
  expect((await worker.pool.query('show enable_seqscan')).rows).toEqual([{ enable_seqscan: 'off' }]);
  expect((await context.pool.query('show enable_seqscan')).rows).toEqual([{ enable_seqscan: 'on' }]);
});

test('times are read and written correctly whatever the time zone and the date style of the database are', async () => {
  await using context = await createTestContext();
  const { databaseUrl: url = '' } = context.config;
  const name = new URL(url).pathname.slice(1);
  await context.pool.query(
    `alter database ${name} set timezone = 'America/Sao_Paulo'; alter database ${name} set datestyle = 'German'`,
  );
  await using fresh = createContext(context.config, 'worker', context);
  const connection = await openConnection(url, 'a test');
  for (const session of [fresh.pool, fresh.searchPool, connection]) {
    const { rows } = await session.query(
      `select '2026-01-02T03:04:05Z'::timestamptz as moment, date '2026-01-02'::text as day, '2026-01-02T03:04:05Z'::timestamptz::date::text as utc_day`,
    );
    expect(rows).toEqual([{ moment: new Date('2026-01-02T03:04:05Z'), day: '2026-01-02', utc_day: '2026-01-02' }]);
  }
  await connection.end();
});

/** Settings of a database for other programs, with which statements of Roster would fail or differ. */
const foreignSettings = {
  statement_timeout: '30s',
  lock_timeout: '1s',
  idle_in_transaction_session_timeout: '10s',
  idle_session_timeout: '1min',
  default_transaction_isolation: 'serializable',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  extra_float_digits: '0',
  quote_all_identifiers: 'on',
};

test('every connection undoes settings of the database that are meant for other programs', async () => {
  await using context = await createTestContext();
  const { databaseUrl: url = '' } = context.config;
  const { rows: version } = await context.pool.query(`select current_setting('transaction_timeout', true) as known`);
  const foreign = { ...foreignSettings, ...(version[0].known === null ? {} : { transaction_timeout: '1min' }) };
  const name = new URL(url).pathname.slice(1);
  for (const [setting, value] of Object.entries(foreign)) {
    await context.pool.query(`alter database ${name} set ${setting} = '${value}'`);
  }
  await using fresh = createContext(context.config, 'worker', context);
  const connection = await openConnection(url, 'a test');
  for (const session of [fresh.pool, connection]) {
    const { rows } = await session.query(
      `select name, setting = reset_val as kept from pg_settings where name = any($1)`,
      [Object.keys(foreign)],
    );
    expect(rows).toHaveLength(Object.keys(foreign).length);
    expect(rows.filter(({ kept }) => kept)).toEqual([]);
  }
  await connection.end();
  // The coming days have their partitions, and this finds them.
  await makePartitions(fresh);
  await makePartitions(fresh);
});

test('a start warns about a server that can lose committed data', async () => {
  await using context = await createTestContext();
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  // The server of the tests runs with fsync off.
  await migrateToLatest(context.config.databaseUrl!, log);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ settings: expect.stringContaining('fsync = off') }]);
});
