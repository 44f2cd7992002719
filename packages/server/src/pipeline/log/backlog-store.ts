import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';

/** The work that waits in the pipeline. */
export interface Backlog {
  /** Number of accepted requests that wait; at most {@link backlogCountedTo}. */
  readonly requests: number;
  /** Number of items (contacts) in them. */
  readonly items: number;
  /** When the one that has waited longest was accepted; null when none waits. */
  readonly oldest: Date | null;
}

/** The exact number of waiting requests matters to nobody beyond this; counting more would be work for every probe. */
export const backlogCountedTo = 10_000;

// More accounts than this never wait at once for long enough to matter.
const accounts = 1000;

/**
 * Reads what waits. The oldest request of an account is the first of its queue, so that one index entry an account is read, however many
 * requests wait behind it.
 */
export async function readBacklog(db: Database): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    with recursive first as (
      (select account_id, accepted_at from request_queue order by account_id, seq limit 1)
      union all
      select next.account_id, next.accepted_at from first cross join lateral (
        select account_id, accepted_at from request_queue q where q.account_id > first.account_id
        order by account_id, seq limit 1
      ) next
    )
    select count(*) as requests, coalesce(sum(total), 0)::bigint as items,
      (select min(accepted_at) from (select accepted_at from first limit ${accounts}) f) as oldest
    from (select total from request_queue limit ${backlogCountedTo}) q`.execute(db);
  return rows[0]!;
}
