import { lastSegmentCounts } from '#features/audiences/growth/segment-count-store.ts';
import { countSegment } from '#features/audiences/segments.ts';
import { loadLive } from '#features/live-segments/live-segments.ts';
import type { Context } from '#platform/context.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { Credential } from '#platform/http/authentication/credential.ts';
import { startOfDay } from '#platform/time/days.ts';

/** The number of contacts of an audience. */
export interface AudienceNumber {
  /** Null: it could not be counted. */
  readonly count: number | null;
  /** Date-time of the stored count. Null: the number is that of now. */
  readonly last_refreshed_date: string | null;
}

/** Milliseconds for counting the segments of one answer that have no stored count. */
const countingTime = 5000;

/**
 * Returns the numbers of segments, by audience id: the members of live segments that follow, and
 * the last daily counts of the others. Counts those that have neither, one after another.
 */
export async function segmentNumbers(
  context: Context,
  { accountId, timeZone }: Pick<Credential, 'accountId' | 'timeZone'>,
  audienceIds: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, AudienceNumber>> {
  const live = await loadLive(context.db, accountId, context.now());
  const stored = await lastSegmentCounts(context.db, accountId, audienceIds);
  const limit = AbortSignal.timeout(countingTime);
  const numbers = new Map<number, AudienceNumber>();
  for (const id of audienceIds) {
    const segment = live.get(id);
    const counted = stored.get(id);
    if (segment?.state === 'following') numbers.set(id, { count: segment.member_count, last_refreshed_date: null });
    else if (counted !== undefined) {
      const last_refreshed_date = new Date(startOfDay(counted.day, timeZone)).toISOString();
      numbers.set(id, { count: counted.contacts, last_refreshed_date });
    } else {
      const count = await countWithin(limit, signal, (ending) => countSegment(context, accountId, id, ending));
      numbers.set(id, { count, last_refreshed_date: null });
    }
  }
  return numbers;
}

/** Counts; null if that is refused or takes too long. Throws when the caller has disconnected. */
async function countWithin(
  limit: AbortSignal,
  disconnected: AbortSignal,
  count: (signal: AbortSignal) => Promise<number>,
): Promise<number | null> {
  disconnected.throwIfAborted();
  if (limit.aborted) return null;
  try {
    return await count(AbortSignal.any([limit, disconnected]));
  } catch (error) {
    disconnected.throwIfAborted();
    if (limit.aborted || error instanceof ApiError) return null;
    throw error;
  }
}
