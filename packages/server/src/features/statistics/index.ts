import type { Feature } from '#platform/feature.ts';
import { second } from '#platform/time/intervals.ts';
import { recountAccounts } from './recount-upkeep.ts';

/** Numbers for people: growth, activity by day and message, and the state of the pipeline. */
export const statistics: Feature = {
  name: 'statistics',
  upkeep: [{ interval: second, run: recountAccounts }],
};
