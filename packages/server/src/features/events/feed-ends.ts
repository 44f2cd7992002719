import { ApiError, invalidField } from '#platform/errors/api-error.ts';
import type { FeedEnds } from './event-store.ts';

/**
 * Throws `events_expired` for a position before the oldest event that is kept, and `invalid_request`
 * at `after` for one after the newest event. A reader can have such a position after the database was
 * restored to an earlier state.
 */
export function requireInFeed(position: number, ends: FeedEnds): void {
  if (position < ends.expired_position) throw eventsExpired(ends.expired_position);
  if (position <= ends.last_position) return;
  const message = `must not be after the newest event, which has the position ${ends.last_position}`;
  throw invalidField('out_of_range', 'after', message);
}

/** Makes the error for events that are deleted. `position`: the last of them. */
export function eventsExpired(position: number): ApiError {
  return new ApiError('events_expired', { params: { position } });
}
