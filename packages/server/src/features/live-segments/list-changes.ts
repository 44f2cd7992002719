import type { ListSegmentChangesQuery, Page, SegmentChange, SegmentGrowth } from '@roster/contract';
import type { Database } from '#platform/database/connection/database.ts';
import { conflict } from '#platform/errors/api-error.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import { listChanges, loadLiveDays, type ChangePosition, type LiveChange } from './change-store.ts';
import { findLiveSegment, type LiveSegmentRow } from './live-segment-store.ts';

/** A segment of an account. */
interface SegmentKey {
  readonly accountId: number;
  readonly audienceId: number;
}

// Before all changes: no position has larger parts.
const start: ChangePosition = [Number.MAX_SAFE_INTEGER, 1, Number.MAX_SAFE_INTEGER];

/** Returns a page of the entries and departures of a live segment. Throws `conflict` if it is not live. */
export async function segmentChanges(
  db: Database,
  key: SegmentKey,
  query: ListSegmentChangesQuery,
): Promise<Page<SegmentChange>> {
  const row = await requireLive(db, key);
  return pageOf<LiveChange, SegmentChange, ChangePosition>(query, {
    bounds: start,
    load: (after, limit) => listChanges(db, row, after ?? start, limit),
    position: ({ step, entered, contact_id: id }) => [step, entered ? 1 : 0, id],
    view: ({ contact_id, entered, cause, changed_at: at }) => ({
      contact_id,
      change: entered ? 'entered' : 'left',
      cause,
      occurred_at: at.toISOString(),
    }),
  });
}

/** Returns the entries and departures of a segment by day. Empty if the segment is not live. */
export async function liveDays(
  db: Database,
  { accountId, audienceId }: SegmentKey,
  period: { readonly from: string; readonly to: string },
): Promise<SegmentGrowth['live_days']> {
  const row = await findLiveSegment(db, accountId, audienceId);
  if (row === undefined) return [];
  const days = await loadLiveDays(db, row, period);
  return days.map(({ day, entered, departed }) => ({ day, entered, left: departed }));
}

async function requireLive(db: Database, { accountId, audienceId }: SegmentKey): Promise<LiveSegmentRow> {
  const row = await findLiveSegment(db, accountId, audienceId);
  if (row !== undefined) return row;
  throw conflict(
    `Segment ${audienceId} is not live, so its entries and departures are not recorded. Set "live" to true first.`,
  );
}
