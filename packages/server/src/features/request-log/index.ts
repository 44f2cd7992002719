import type { Feature } from '#platform/feature.ts';
import { requestLogRoutes } from './log-routes.ts';

/** Lists accepted requests for operators. */
export const requestLog: Feature = {
  name: 'request-log',
  routes: { operator: [requestLogRoutes] },
};
