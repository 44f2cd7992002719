import type { Feature } from '#platform/feature.ts';
import { batchAddRoutes } from './batch-add-routes.ts';
import { endJobs } from './end-jobs.ts';
import { batchAddOperations } from './operations.ts';

/**
 * The older batch add of contacts (v3), with its daily limit, and a callback and a mail at the end.
 */
export const batchAdd: Feature = {
  name: 'batch-add',
  routes: { v3: [batchAddRoutes] },
  operations: batchAddOperations,
  onRequestsEnd: endJobs,
};
