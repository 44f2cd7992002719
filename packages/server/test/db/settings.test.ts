import pino from 'pino';
import { expect, test } from 'vitest';
import { createContext } from '#app/create-context.ts';
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

test('a start warns about a server that can lose committed data', async () => {
  await using context = await createTestContext();
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  // The server of the tests runs with fsync off.
  await migrateToLatest(context.config.databaseUrl!, log);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ settings: expect.stringContaining('fsync = off') }]);
});
