import type { Feature } from '#platform/feature.ts';
import { attributeIndexRoutes } from './routes.ts';
import { keepIndexes } from './keep-indexes.ts';

/** Indexes on the values of an attribute, which an operator asks for. */
export const attributeIndexes: Feature = {
  name: 'attribute-indexes',
  routes: { operator: [attributeIndexRoutes] },
  // An operator who asks for an index waits no longer than this until it is begun.
  upkeep: [{ interval: 500, run: keepIndexes }],
};
