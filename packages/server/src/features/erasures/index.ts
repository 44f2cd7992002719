import type { Feature } from '#platform/feature.ts';
import { hour } from '#platform/time/intervals.ts';
import { erasureRoutes } from './erasure-routes.ts';
import { erasurePart } from './batch/batch-part.ts';
import { eraseRefused } from './batch/erase-refused.ts';
import { eraseRefusedItems, eraseTraces } from './traces/erase-traces.ts';
import { keepErasures } from './keep-erasures.ts';
import { erasureOperations } from './batch/operations.ts';

/** The erasure of one person and of its traces. */
export const erasures: Feature = {
  name: 'erasures',
  routes: { operator: [erasureRoutes] },
  operations: erasureOperations,
  batchParts: { erasures: erasurePart },
  onRequestsEnd: eraseRefused,
  upkeep: [{ interval: hour, run: keepErasures }],
  jobs: {
    // It reads all requests that are kept. Nobody waits for it: one at a time.
    erase_traces: { concurrency: 1, run: eraseTraces },
    erase_refused: { concurrency: 1, run: eraseRefusedItems },
  },
};
