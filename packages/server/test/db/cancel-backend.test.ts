import { expect, test } from 'vitest';
import { borrowConnections } from '#platform/database/connection/borrowed-connections.ts';
import { sql } from 'kysely';
import { createTestContext } from '../support/context.ts';

test('a statement can be cancelled even if an extension has another function pg_cancel_backend', async () => {
  await using context = await createTestContext();
  // Citus has such a function. With it, a call whose parameter has no type is ambiguous.
  await context.pool.query(`create function pg_cancel_backend(bigint) returns boolean language sql as 'select false'`);
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
