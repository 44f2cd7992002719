import type { Feature } from '#platform/feature.ts';
import { minute } from '#platform/time/intervals.ts';
import { concurrentFetches, fetchImport } from './fetch/fetch-import.ts';
import { importFileRoutes } from './routes/file-routes.ts';
import { importRoutes } from './routes/import-routes.ts';
import { importsUsingAttributes, importsUsingAudiences } from './upkeep/import-usage.ts';
import { importWork } from './upkeep/import-work.ts';
import { importUpkeep } from './upkeep/import-upkeep.ts';
import { cancelImportsOf, unfinishedWritesOfImports } from './store/deleted-account.ts';
import { runImport } from './run/run-import.ts';

/** Imports of files. */
export const imports: Feature = {
  name: 'imports',
  work: importWork,
  routes: { operator: [importRoutes, importFileRoutes] },
  attributeUses: importsUsingAttributes,
  audienceUses: importsUsingAudiences,
  upkeep: [{ interval: minute, run: importUpkeep, deletesByAge: true }],
  accountParts: {
    endWork: cancelImportsOf,
    filePrefixes: (accountId) => [`imports/${accountId}/`],
    unfinishedWrites: unfinishedWritesOfImports,
  },
  // Two are enough: one import alone can keep the lane of its account busy.
  jobs: {
    import: { concurrency: 2, run: runImport },
    fetch_import: { concurrency: concurrentFetches, run: fetchImport },
  },
};
