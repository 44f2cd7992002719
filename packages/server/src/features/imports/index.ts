import type { Feature } from '#platform/feature.ts';
import { minute } from '#platform/time/intervals.ts';
import { importFileRoutes } from './routes/file-routes.ts';
import { importRoutes } from './routes/import-routes.ts';
import { importsUsingAttributes } from './upkeep/import-usage.ts';
import { keepImports } from './upkeep/keep-imports.ts';
import { runImport } from './run/run-import.ts';

/** Imports of files. */
export const imports: Feature = {
  name: 'imports',
  routes: { operator: [importRoutes, importFileRoutes] },
  attributeUses: importsUsingAttributes,
  upkeep: [{ interval: minute, run: keepImports }],
  // Each fills the lane of an account as fast as it is emptied.
  jobs: { import: { concurrency: 2, run: runImport } },
};
