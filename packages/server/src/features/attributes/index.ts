import type { Feature } from '#platform/feature.ts';
import { attributeRoutes } from './routes/attribute-routes.ts';
import { attributeOperations } from './changes/operations.ts';

/** The operations on attributes. */
export const attributes: Feature = {
  name: 'attributes',
  routes: { apiKey: [attributeRoutes] },
  operations: attributeOperations,
};
