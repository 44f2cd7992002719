import { expect, test } from 'vitest';
import { createContext } from '../../src/context.ts';
import { createTestContext } from '../support/context.ts';

test('every connection has the settings that the statements need, whatever the server has', async () => {
  await using context = await createTestContext();
  await using worker = createContext(context.config, 'worker', context);
  for (const pool of [context.pool, context.searchPool, worker.pool]) {
    expect((await pool.query('show jit')).rows).toEqual([{ jit: 'off' }]);
  }
  expect((await worker.pool.query('show enable_seqscan')).rows).toEqual([{ enable_seqscan: 'off' }]);
  expect((await context.pool.query('show enable_seqscan')).rows).toEqual([{ enable_seqscan: 'on' }]);
});
