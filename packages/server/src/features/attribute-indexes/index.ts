import type { Feature } from '#platform/feature.ts';
import { indexWork } from './index-work.ts';
import { attributeIndexRoutes } from './routes.ts';
import { maintainIndexes } from './maintain-indexes.ts';

/** Indexes on the values of attributes, which operators ask for. */
export const attributeIndexes: Feature = {
  name: 'attribute-indexes',
  work: indexWork,
  routes: { operator: [attributeIndexRoutes] },
  // Milliseconds, so that a build starts soon after an operator asks for an index.
  upkeep: [{ interval: 500, run: maintainIndexes }],
};
