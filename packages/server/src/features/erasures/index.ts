import type { Feature } from '#platform/feature.ts';
import { hour } from '#platform/time/intervals.ts';
import { erasureWork } from './erasure-work.ts';
import { erasureRoutes } from './erasure-routes.ts';
import { erasurePart } from './batch/batch-part.ts';
import { eraseTraces } from './traces/erase-traces.ts';
import { addRefusedItemsJobs, eraseRefusedItems } from './traces/refused-items.ts';
import { restartErasures } from './restart-erasures.ts';
import { erasureOperations } from './operations.ts';

/** Erases a person and all traces of the person. */
export const erasures: Feature = {
  name: 'erasures',
  work: erasureWork,
  routes: { operator: [erasureRoutes] },
  operations: erasureOperations,
  batchParts: { erasures: erasurePart },
  onRequestsEnd: addRefusedItemsJobs,
  upkeep: [{ interval: hour, run: restartErasures }],
  jobs: {
    // One at a time: the job reads all stored requests of an account, and it is not urgent.
    erase_traces: { concurrency: 1, run: eraseTraces },
    erase_refused: { concurrency: 1, run: eraseRefusedItems },
  },
};
