import type { Feature } from '#platform/feature.ts';
import { hour, second } from '#platform/time/intervals.ts';
import { recordRoutes } from './record/record-routes.ts';
import { activityPart } from './batch/batch-part.ts';
import { moveActivities } from './moves/moves.ts';
import { activityOperations } from './operations.ts';
import { applyRetention, makeComingPartitions } from './retention/retention.ts';
import { derivedRoutes } from './summaries/derived-routes.ts';
import { keepSummaries } from './summaries/keep-summaries.ts';

/** Activities: what was sent to people, and what they did. */
export const activities: Feature = {
  name: 'activities',
  routes: { operator: [recordRoutes, derivedRoutes] },
  operations: activityOperations,
  batchParts: { activities: activityPart },
  upkeep: [
    { interval: hour, run: makeComingPartitions },
    { interval: hour, run: applyRetention, deletesByAge: true },
    { interval: second, run: moveActivities },
    { interval: second, run: keepSummaries, deletesByAge: true },
  ],
};
