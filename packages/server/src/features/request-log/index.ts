import type { Feature } from '#platform/feature.ts';
import { requestLogRoutes, requestOfKeyRoutes } from './log-routes.ts';
import { answerOutcomes } from './outcome-answers.ts';
import { createRequestWaits } from './request-waits.ts';

/** Shows accepted requests and their outcomes, and lets callers wait for them. */
export const requestLog: Feature = {
  name: 'request-log',
  openContext: (context) => ({ requestWaits: createRequestWaits(context) }),
  hooks: answerOutcomes,
  routes: { operator: [requestLogRoutes], apiKey: [requestOfKeyRoutes] },
};
