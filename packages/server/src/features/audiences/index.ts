import type { Feature } from '#platform/feature.ts';
import { minute } from '#platform/time/intervals.ts';
import { countSegments } from './count-segments.ts';
import { listRoutes } from './list-routes.ts';
import { segmentRoutes } from './segment-routes.ts';

/** The audiences of an account: lists and segments. */
export const audiences: Feature = {
  name: 'audiences',
  routes: { operator: [listRoutes, segmentRoutes] },
  // Looks through all segments of the installation, so not more often.
  upkeep: [{ interval: 5 * minute, run: countSegments }],
};
