import type { AccountEvent, AccountOperator } from '@roster/client';

/** Events that are read at a time. */
export const eventsPerPart = 200;

/** A part of the feed, newest first. */
export interface FeedPart {
  readonly data: readonly AccountEvent[];
  /** The part before this one ends at this position. Null: this is the oldest one. */
  readonly next_cursor: string | null;
  /** The position after which the part was read. Undefined without events. */
  readonly after: number | undefined;
  /** Positions of the oldest and newest event that are kept. Undefined without events. */
  readonly ends: { readonly first: number; readonly last: number } | undefined;
}

/**
 * Reads the part of the feed that ends at a position. If no event is kept there, the part ends at the
 * nearest one. Without a position, it ends at the newest event.
 */
export async function readFeedPart(
  { events }: Pick<AccountOperator, 'events'>,
  { position, cursor, signal }: { position: number | undefined; cursor: string | undefined; signal: AbortSignal },
): Promise<FeedPart> {
  // The feed is read forwards, so the end of each part must be known.
  const oldest = await events.read({ signal, limit: 1 });
  const first = oldest.data[0]?.position;
  if (first === undefined) return { data: [], next_cursor: null, after: undefined, ends: undefined };
  const last = oldest.last_position;
  const end = cursor === undefined ? Math.max(first, Math.min(position ?? last, last)) : Number(cursor);
  const after = Math.max(first - 1, end - eventsPerPart);
  const { data } = await events.read({ signal, after, limit: eventsPerPart });
  return {
    data: data.filter((event) => event.position <= end).toReversed(),
    next_cursor: after < first ? null : String(after),
    after,
    ends: { first, last },
  };
}
