import type { Feature } from '#platform/feature.ts';
import { runningWorkRoutes } from './routes.ts';

/** What runs now in an account: as a list, and as server-sent events. */
export const runningWork: Feature = {
  name: 'running-work',
  routes: { operator: [runningWorkRoutes] },
};
