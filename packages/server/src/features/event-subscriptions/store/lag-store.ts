import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';

/** How far a position is behind the end of the feed of its account. */
export interface Lag {
  /** Position of the newest event of the account. */
  readonly lastPosition: number;
  readonly events: number;
  /** Age of the oldest event after the position; 0 if there is none. */
  readonly seconds: number;
}

/** Loads how far some positions in the feed of an account are behind, in their order. */
export async function loadLags(
  db: Database,
  accountId: number,
  positions: readonly number[],
  now: Date,
): Promise<Lag[]> {
  if (positions.length === 0) return [];
  // Each position is one look-up in the index of the groups.
  const { rows } = await sql<{ last_position: number; oldest: (Date | null)[] }>`
    select f.last_position, array(
      select (select g.occurred_at from event_groups g
        where g.account_id = ${accountId} and g.last_position > p.position order by g.last_position limit 1)
      from unnest(${positions}::bigint[]) with ordinality as p (position, n) order by p.n) as oldest
    from event_feeds f where f.account_id = ${accountId}`.execute(db);
  const [feed] = rows;
  const last = feed?.last_position ?? 0;
  return positions.map((position, index) => {
    const oldest = feed?.oldest[index];
    const age = oldest == null ? 0 : (now.getTime() - oldest.getTime()) / 1000;
    return { lastPosition: last, events: Math.max(0, last - position), seconds: Math.max(0, Math.floor(age)) };
  });
}
