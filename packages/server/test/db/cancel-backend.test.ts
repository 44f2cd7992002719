import pino from 'pino';
import { expect, test } from 'vitest';
import { borrowConnections } from '#platform/database/connection/borrowed-connections.ts';
import { cancelBackend } from '#platform/database/connection/cancel-backend.ts';
import { sql } from 'kysely';
import { isCluster } from '../support/cluster.ts';
import { createTestContext } from '../support/context.ts';

test('a statement can be cancelled even if an extension has another function pg_cancel_backend', async () => {
  await using context = await createTestContext();
  // Citus has such a function. With it, a call whose parameter has no type is ambiguous.
  if (!isCluster) {
    await context.pool.query(
      `create function pg_cancel_backend(bigint) returns boolean language sql as 'select false'`,
    );
  }
  const stopped = new Error('stopped');
  await using borrowed = await borrowConnections({
    pool: context.searchPool,
    control: context.pool,
    second: () => undefined,
  });
  const sleeping = sql`select pg_sleep(50) /* to be cancelled */`.execute(borrowed.db);
  sleeping.catch(() => undefined);
  await expect
    .poll(async () => {
      const { rows } = await context.pool.query(
        `select from pg_stat_activity where query like 'select pg_sleep%to be cancelled%' and state = 'active'`,
      );
      return rows.length;
    })
    .toBe(1);
  borrowed.cancel(stopped);
  await expect(sleeping).rejects.toMatchObject({ code: '57014', message: expect.stringContaining('user request') });
});

test('a cancellation that the server refuses is logged as an error', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  await using context = await createTestContext({ log });
  const notANumber = 'x' as unknown as number;
  expect(await cancelBackend(context.pool, notANumber)).toBe(false);
  expect(lines).toEqual([expect.stringContaining('the server refused to cancel a statement')]);
  expect(lines[0]).toContain('"code":"22P02"');
});
