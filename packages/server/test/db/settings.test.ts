import pino from 'pino';
import { expect, test } from 'vitest';
import { createContext } from '#app/create-context.ts';
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

test('a start warns about a server that can lose committed data', async () => {
  await using context = await createTestContext();
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  // The server of the tests runs with fsync off.
  await migrateToLatest(context.config.databaseUrl!, log);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ settings: expect.stringContaining('fsync = off') }]);
});
