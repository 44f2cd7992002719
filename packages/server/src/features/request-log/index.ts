import type { Feature } from '#platform/feature.ts';
import { requestLogRoutes } from './log-routes.ts';

/** The operator's view of accepted requests. */
export const requestLog: Feature = {
  name: 'request-log',
  routes: { operator: [requestLogRoutes] },
};
