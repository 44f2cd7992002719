import type { Feature } from '#platform/feature.ts';
import { listRoutes } from './list-routes.ts';
import { segmentRoutes } from './segment-routes.ts';

/** Lists and segments: the audiences of an account. */
export const audiences: Feature = {
  name: 'audiences',
  routes: { operator: [listRoutes, segmentRoutes] },
};
