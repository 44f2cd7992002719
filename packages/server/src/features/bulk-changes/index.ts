import type { Feature } from '#platform/feature.ts';
import { hour, minute } from '#platform/time/intervals.ts';
import { bulkChangeRoutes } from './routes/bulk-change-routes.ts';
import { runBulkChange } from './run/run-bulk-change.ts';
import { bulkChangesUsingAttributes } from './upkeep/bulk-change-usage.ts';
import { cancelBulkChangesOf } from './store/bulk-change-store.ts';
import { bulkChangeWork } from './upkeep/bulk-change-work.ts';
import { deleteOldBulkChanges, endAbandonedBulkChanges } from './upkeep/bulk-change-upkeep.ts';

/** Changes of many contacts at once, by a filter. */
export const bulkChanges: Feature = {
  name: 'bulk-changes',
  work: bulkChangeWork,
  routes: { operator: [bulkChangeRoutes] },
  attributeUses: bulkChangesUsingAttributes,
  upkeep: [
    { interval: minute, run: endAbandonedBulkChanges },
    { interval: hour, run: deleteOldBulkChanges, deletesByAge: true },
  ],
  accountParts: { endWork: cancelBulkChangesOf },
  // Two are enough: they wait for the pipeline most of the time.
  jobs: { bulk_change: { concurrency: 2, run: runBulkChange } },
};
