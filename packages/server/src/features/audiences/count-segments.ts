import type { Context } from '#platform/context.ts';
import { databaseFault } from '#platform/database/connection/database.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { openConnection } from '#platform/database/connection/open-connection.ts';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { countSegment } from './segments.ts';
import { listDueSegments, storeSegmentCount, type DueSegment } from './growth/segment-count-store.ts';

/**
 * Number of segments that are listed and counted before the list is made again. To list a few of
 * 200,000 segments takes 0.6 s, however few.
 */
const segmentsPerRound = 1000;

/**
 * Counts each segment once a day, soon after the day has begun in the time zone of its account.
 *
 * Only one worker does this at a time, and it counts one segment at a time. A segment that has a
 * row for the day is not counted again, so another run continues after a kill. A segment that
 * cannot be counted, such as because it takes too long, has no number for the day.
 */
export async function countSegments(context: Context, signal: AbortSignal): Promise<void> {
  if ((await dueSegments(context, 1)).length === 0) return;
  const client = await openConnection(context.config.databaseUrl!, 'roster segments', 5000);
  try {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, 0) as taken', [
      advisoryLocks.segmentCounts,
    ]);
    if (rows[0]!.taken) await countDueSegments(context, signal);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function countDueSegments(context: Context, signal: AbortSignal): Promise<void> {
  // Segments whose count failed for a reason that passes. The next run tries them again.
  const postponed = new Set<string>();
  for (;;) {
    const listed = await dueSegments(context, segmentsPerRound + postponed.size);
    const due = listed.filter((segment) => !postponed.has(keyOf(segment)));
    if (due.length === 0) return;
    for (const segment of due) {
      if (signal.aborted) return;
      const contacts = await countOnce(context, segment, signal);
      if (contacts === undefined) postponed.add(keyOf(segment));
      else await storeSegmentCount(context.db, segment, contacts);
    }
  }
}

/** Lists due segments on a connection for searches: those of the pipeline plan only for few rows. */
async function dueSegments({ searchServers, log, now }: Context, limit: number): Promise<DueSegment[]> {
  return listDueSegments({ servers: searchServers, log }, now(), limit);
}

/** Counts a segment. Null: it cannot be counted today. Undefined: a later attempt can succeed. */
async function countOnce(
  context: Context,
  { accountId, audienceId }: DueSegment,
  signal: AbortSignal,
): Promise<number | null | undefined> {
  try {
    return await countSegment(context, accountId, audienceId, signal);
  } catch (error) {
    if (signal.aborted || isPassing(error)) return undefined;
    // It was deleted since it was listed. Nothing is stored for it.
    if (error instanceof ApiError && error.code === 'not_found') return null;
    const segment = { account_id: accountId, segment: audienceId, err: describeError(error) };
    context.log.warn(segment, 'could not count a segment; it has no number for this day');
    return null;
  }
}

/** True when the database is unreachable or busy. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 'overloaded' || error.code === 'too_many_searches';
  return databaseFault(error) === 'unreachable';
}

function keyOf({ accountId, audienceId }: DueSegment): string {
  return `${accountId}:${audienceId}`;
}
