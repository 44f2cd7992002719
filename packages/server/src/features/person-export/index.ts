import type { Feature } from '#platform/feature.ts';
import { personRoutes } from './person-routes.ts';

/** What is known of one person, for the person. */
export const personExport: Feature = {
  name: 'person-export',
  routes: { operator: [personRoutes] },
};
