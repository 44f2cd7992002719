import type { Feature } from '#platform/feature.ts';
import { attributeValueRoutes } from './value-routes.ts';

/** The most frequent values of attributes, for suggestions. */
export const attributeValues: Feature = {
  name: 'attribute-values',
  routes: { operator: [attributeValueRoutes] },
};
