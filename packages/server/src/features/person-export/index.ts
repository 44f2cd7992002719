import type { Feature } from '#platform/feature.ts';
import { personRoutes } from './person-routes.ts';

/** Exports all data about one person. */
export const personExport: Feature = {
  name: 'person-export',
  routes: { operator: [personRoutes] },
};
