import type { Feature } from '#platform/feature.ts';
import { attributeRoutes } from './routes/attribute-routes.ts';
import { attributeOperations } from './operations.ts';

/** Attributes: their routes, and the operations that change them. */
export const attributes: Feature = {
  name: 'attributes',
  routes: { apiKey: [attributeRoutes] },
  operations: attributeOperations,
};
