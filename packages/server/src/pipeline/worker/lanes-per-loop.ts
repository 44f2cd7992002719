import type { Context } from '#platform/context.ts';
import { countWorkers } from '#platform/database/statements/count-workers.ts';
import { lanesPerAccount } from '../operations/buckets.ts';

// Milliseconds after which the workers are counted again.
const countEvery = 5000;

/**
 * Makes a function that returns how many lanes of an account one loop takes. It divides the lanes by
 * the number of workers. With fewer lanes, a batch would have only a small part of each request. And
 * all loops of a worker share its thread, so several of them would gain little.
 */
export function createLanesPerLoop({ db }: Pick<Context, 'db'>): () => Promise<number> {
  let workers = 1;
  let countedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - countedAt > countEvery) {
      workers = Math.max(1, await countWorkers(db));
      countedAt = performance.now();
    }
    return Math.ceil(lanesPerAccount / workers);
  };
}
