import type { Feature } from '#platform/feature.ts';
import { userActivityRoutes } from './user-activity-routes.ts';

/** The activities of one person on a channel (apiv2). */
export const userActivity: Feature = {
  name: 'user-activity',
  routes: { apiv2: [userActivityRoutes] },
};
