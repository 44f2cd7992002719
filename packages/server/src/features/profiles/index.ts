import type { Feature } from '#platform/feature.ts';
import { profileRoutes } from './profile/profile-routes.ts';
import { timelineRoutes } from './timeline/timeline-routes.ts';

/** One contact as operators see it: its profile, its timeline, and changing it. */
export const profiles: Feature = {
  name: 'profiles',
  routes: { operator: [profileRoutes, timelineRoutes] },
};
