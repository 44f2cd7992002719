import type { Feature } from '#platform/feature.ts';
import { second } from '#platform/time/intervals.ts';
import { recountAccounts } from './recount-upkeep.ts';
import { statisticsRoutes } from './statistics-routes.ts';

/** Numbers for people: growth, activity by day and message, and the state of the pipeline. */
export const statistics: Feature = {
  name: 'statistics',
  routes: { operator: [statisticsRoutes] },
  upkeep: [{ interval: second, run: recountAccounts }],
};
