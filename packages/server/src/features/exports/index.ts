import type { Feature } from '#platform/feature.ts';
import { hour, minute, second } from '#platform/time/intervals.ts';
import { exportRoutes } from './routes/export-routes.ts';
import { exportFileRoutes } from './routes/file-routes.ts';
import { exportOperatorRoutes } from './routes/operator-routes.ts';
import { exportScheduleRoutes } from './routes/schedule-routes.ts';
import { startDueSchedules } from './schedules/run-schedule.ts';
import { exportsUsingAttributes, exportsUsingAudiences } from './upkeep/export-usage.ts';
import { deleteExpiredFiles, deleteOldExports, deleteOldRuns, endAbandonedExports } from './upkeep/export-upkeep.ts';
import { exportWork } from './upkeep/export-work.ts';
import { cancelExportsOf, unfinishedWritesOfExports } from './store/deleted-account.ts';
import { runExport } from './run/run-export.ts';

/** Exports of contacts to files, on request and by schedules. */
export const exports: Feature = {
  name: 'exports',
  work: exportWork,
  routes: {
    operator: [exportOperatorRoutes, exportScheduleRoutes],
    apiKey: [exportRoutes],
    open: [exportFileRoutes],
  },
  attributeUses: exportsUsingAttributes,
  audienceUses: exportsUsingAudiences,
  upkeep: [
    { interval: 5 * second, run: startDueSchedules },
    { interval: hour, run: deleteOldRuns, deletesByAge: true },
    { interval: minute, run: deleteExpiredFiles, deletesByAge: true },
    { interval: minute, run: endAbandonedExports },
    { interval: hour, run: deleteOldExports, deletesByAge: true },
  ],
  accountParts: {
    endWork: cancelExportsOf,
    filePrefixes: (accountId) => [`${accountId}/`],
    unfinishedWrites: unfinishedWritesOfExports,
  },
  // Each export keeps a PostgreSQL process busy. More would slow down searches and the pipeline.
  jobs: { export: { concurrency: 2, run: runExport }, export_to_s3: { concurrency: 2, run: runExport } },
};
