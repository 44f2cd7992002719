import { liveSegmentsPerAccount, type LiveSegment } from '@roster/contract';
import { addEvent } from '#features/events/event-store.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { conflict } from '#platform/errors/api-error.ts';
import { addEnded, lockLiveAccount, takeLiveId } from './account-store.ts';
import { addDay } from './change-store.ts';
import {
  deleteLiveSegment,
  findLiveSegment,
  insertLiveSegment,
  loadLiveSegments,
  restartSegmentsWith,
  updateLiveSegment,
  type LiveSegmentRow,
} from './live-segment-store.ts';
import { removeFromHistory, removeMember } from './member-store.ts';
import { oldestPending } from './pending/pending-store.ts';
import { contactInputs } from '#features/search/inputs/filter-inputs.ts';

/**
 * Makes a segment live, or no longer live. A worker then fills it in the background. The caller has
 * locked the account. Throws `conflict` when the account has too many live segments.
 */
export async function setLive(
  trx: Database,
  key: { readonly accountId: number; readonly audienceId: number },
  live: boolean,
  at: Date,
): Promise<void> {
  const { accountId, audienceId } = key;
  await lockLiveAccount(trx, accountId);
  const existing = await findLiveSegment(trx, accountId, audienceId);
  if (live === (existing !== undefined)) return;
  if (existing !== undefined) {
    await deleteLiveSegment(trx, existing);
    await addEnded(trx, accountId, existing.live_id);
    // Readers of the feed forget the members. An event for each would say that they had left.
    const details = { segment_id: audienceId };
    await addEvent(trx, accountId, { kind: 'segment.stopped', contactId: null, requestId: null, details }, at);
    return;
  }
  const others = await loadLiveSegments(trx, accountId);
  if (others.length >= liveSegmentsPerAccount) {
    throw conflict(
      `An account can have up to ${liveSegmentsPerAccount} live segments. Set "live" of another segment to false first.`,
    );
  }
  await insertLiveSegment(trx, { ...key, liveId: await takeLiveId(trx, accountId) }, at);
}

/** The state of the live segments of an account, by audience id. */
export type LiveSegments = ReadonlyMap<number, LiveSegment>;

/** Loads the state of the live segments of an account. */
export async function loadLive(db: Database, accountId: number, now: Date): Promise<LiveSegments> {
  const rows = await loadLiveSegments(db, accountId);
  if (rows.length === 0) return new Map();
  const oldest = await oldestPending(db, accountId);
  return new Map(rows.map((row) => [row.audience_id, viewOf(row, oldest, now)]));
}

function viewOf(row: LiveSegmentRow, oldest: Date | undefined, now: Date): LiveSegment {
  const state = row.state === 'following' || row.state === 'broken' ? row.state : 'filling';
  const behind = [oldest, row.pass_to === null ? undefined : row.clock_at].map((since) =>
    since === undefined ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1000),
  );
  return {
    state,
    member_count: row.member_count,
    lag_seconds: state === 'following' ? Math.round(Math.max(...behind) * 1000) / 1000 : null,
    started_at: row.started_at.toISOString(),
    filled_at: row.filled_at?.toISOString() ?? null,
  };
}

/**
 * Makes the segments that ask whether a contact is in any list evaluate all contacts again, because a
 * list was deleted. Call it in the transaction that deletes the list.
 */
export async function noteDeletedList(trx: Database, accountId: number): Promise<void> {
  await lockLiveAccount(trx, accountId);
  await restartSegmentsWith(trx, accountId, contactInputs.anyList);
}

/**
 * Removes an erased contact from all live segments and from their history, without events. Can be
 * repeated. `day`: today in the time zone of the account.
 */
export async function eraseFromLiveSegments(
  db: Database,
  accountId: number,
  contactId: number,
  day: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockLiveAccount(trx, accountId);
    const rows = await loadLiveSegments(trx, accountId);
    for (const row of rows) {
      if (!(await removeMember(trx, row, contactId))) continue;
      await updateLiveSegment(trx, row, { member_count: row.member_count - 1 });
      await addDay(trx, { accountId, liveId: row.live_id, day, entered: 0, departed: 1 });
    }
    await removeFromHistory(trx, accountId, contactId);
  });
}
