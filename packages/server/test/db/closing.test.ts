import { expect, test } from 'vitest';
import { createContext } from '#app/create-context.ts';
import { createTestContext } from '../support/context.ts';

test('disposing a context closes all its connections', async () => {
  await using context = await createTestContext();
  const count = async () => {
    const { rows } = await context.pool.query<{ connections: number }>(
      `select count(*) as connections from pg_stat_activity where datname = current_database() and application_name like 'roster worker%'`,
    );
    return rows[0]!.connections;
  };
  {
    await using worker = createContext(context.config, 'worker', context);
    await worker.pool.query('select');
    await worker.searchPool.query('select');
    expect(await count()).toBe(2);
  }
  // PostgreSQL ends a backend process when it notices the closed connection.
  await expect.poll(count).toBe(0);
});
