import { growthDays, type SegmentGrowth } from '@roster/contract';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { addDays, dayAt, daysBetween } from '#platform/time/days.ts';
import { liveDays } from '#features/live-segments/list-changes.ts';
import { loadSegmentCounts } from './segment-count-store.ts';

/** Which days of the growth of a segment are wanted. */
export interface SegmentGrowthScope {
  readonly accountId: number;
  readonly audienceId: number;
  readonly now: Date;
  /** First day, `YYYY-MM-DD`. Undefined: the usual number of days up to today. */
  readonly from: string | undefined;
}

/**
 * Returns how many contacts a segment had on the days on which it was counted. The caller has
 * checked that the segment exists. Throws `not_found` if the account does not exist.
 */
export async function segmentGrowth(
  db: Database,
  { accountId, audienceId, now, from: given }: SegmentGrowthScope,
): Promise<SegmentGrowth> {
  const { time_zone: zone } = await requireAccount(db, accountId);
  const today = dayAt(now.getTime(), zone);
  const from = given ?? addDays(today, 1 - growthDays.default);
  const length = Math.min(Math.max(daysBetween(from, today) + 1, 1), growthDays.max);
  const to = addDays(from, length - 1);
  const days = await loadSegmentCounts(db, accountId, audienceId, { from, to });
  const live = await liveDays(db, { accountId, audienceId }, { from, to });
  return { audience_id: audienceId, time_zone: zone, from, to, days, live_days: live };
}
