import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';

/** The requests that wait in the pipeline. */
export interface Backlog {
  /** Number of waiting requests; at most {@link backlogCountedTo}. */
  readonly requests: number;
  /** Number of their items. */
  readonly items: number;
  /** When the oldest waiting request was accepted; null when none waits. */
  readonly oldest: Date | null;
}

/** Waiting requests are counted up to this number. The exact count beyond it is not needed. */
export const backlogCountedTo = 10_000;

// In practice, fewer accounts than this have waiting requests at the same time.
const accounts = 1000;

/**
 * Reads the backlog. The oldest request of an account is the first of its queue. So the query reads
 * one index entry for each account, however many requests wait.
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
