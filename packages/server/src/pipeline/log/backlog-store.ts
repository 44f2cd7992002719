import { sql, type RawBuilder } from 'kysely';
import { allLanes, lanesPerAccount } from '../operations/buckets.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Context } from '#platform/context.ts';
import { findAccounts } from '#platform/database/layout/all-accounts.ts';
import { isReadOnly } from '#platform/database/statements/read-only.ts';

/**
 * Returns the position of the newest waiting request of an account; undefined when none waits. Reads
 * one row of each lane.
 */
export async function newestWaiting(db: Database, accountId: number): Promise<number | undefined> {
  const { rows } = await sql<{ seq: number | null }>`
    select max(newest.seq) as seq from generate_series(${sql.lit(allLanes)}, ${sql.lit(lanesPerAccount)}) as one
    cross join lateral (
      select seq from request_queue where account_id = ${accountId} and lane = one order by seq desc limit 1
    ) newest`.execute(db);
  return rows[0]?.seq ?? undefined;
}

/** The requests that wait in the pipeline. */
export interface Backlog {
  /** Number of waiting requests among the first {@link backlogCountedTo} rows of the queue. */
  readonly requests: number;
  /** Number of their items. */
  readonly items: number;
  /** When the oldest waiting request was accepted; null when none waits. */
  readonly oldest: Date | null;
}

/** The backlog of all accounts. */
export interface WholeBacklog extends Backlog {
  /** True when all servers that responded are read-only. */
  readonly isReadOnly: boolean;
}

/** Rows of the queue are counted up to this number, on each shard of a cluster. The exact count beyond it is not needed. */
export const backlogCountedTo = 10_000;

// In practice, fewer lanes than this have waiting requests at the same time.
const lanes = 1000;

// Milliseconds to wait for a node of a cluster. Health checks need their response within 3 s.
const patience = 1500;

/** An account with requests that wait. */
export interface WaitingAccount {
  readonly accountId: number;
  /** Number of waiting requests, counted to {@link backlogCountedTo} rows of the queue. */
  readonly requests: number;
  /** When the oldest waiting request was accepted. */
  readonly oldest: Date;
}

/**
 * The CTE `first`: the oldest waiting request of each lane. It reads one index entry for each lane,
 * however many requests wait.
 */
function firstOfLanes(queue: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    recursive first as (
      (select account_id, lane, accepted_at from ${queue} order by account_id, lane, seq limit 1)
      union all
      select next.account_id, next.lane, next.accepted_at from first cross join lateral (
        select account_id, lane, accepted_at from ${queue} q
        where (q.account_id, q.lane) > (first.account_id, first.lane)
        order by account_id, lane, seq limit 1
      ) next
    )`;
}

/**
 * Reads the backlog. Parts of a request count as one request. Nodes of a cluster that do not respond
 * are left out.
 */
export async function readBacklog(context: Pick<Context, 'servers' | 'log'>): Promise<WholeBacklog> {
  const shards = await findAccounts(
    context,
    ['request_queue'],
    ({ request_queue: queue }) => sql<WholeBacklog>`
    with ${firstOfLanes(queue)}
    select count(distinct request_id) as requests, coalesce(sum(total), 0)::bigint as items,
      (select min(accepted_at) from (select accepted_at from first limit ${lanes}) f) as oldest, ${sql.raw(isReadOnly)} as "isReadOnly"
    from (select request_id, total from ${queue} limit ${backlogCountedTo}) q`,
    { patience },
  );
  const times = shards.flatMap(({ oldest }) => (oldest === null ? [] : [oldest.getTime()]));
  return {
    requests: sum(shards.map(({ requests }) => requests)),
    items: sum(shards.map(({ items }) => items)),
    oldest: times.length === 0 ? null : new Date(Math.min(...times)),
    isReadOnly: shards.every((shard) => shard.isReadOnly),
  };
}

/**
 * Returns the accounts whose oldest request has waited the longest, at most `limit`. Nodes of a
 * cluster that do not respond are left out.
 */
export async function findWaitingAccounts(
  context: Pick<Context, 'servers' | 'log'>,
  limit: number,
): Promise<WaitingAccount[]> {
  const found = await findAccounts(
    context,
    ['request_queue'],
    ({ request_queue: queue }) => sql<WaitingAccount>`
    with ${firstOfLanes(queue)}
    select account_id as "accountId", oldest, requests
    from (
      select account_id, min(accepted_at) as oldest from (select * from first limit ${lanes}) f
      group by account_id order by oldest, account_id limit ${limit}
    ) longest
    cross join lateral (
      select count(distinct request_id) as requests
      from (select request_id from ${queue} q where q.account_id = longest.account_id limit ${backlogCountedTo}) q
    ) waiting`,
    { patience },
  );
  return found.toSorted((a, b) => a.oldest.getTime() - b.oldest.getTime()).slice(0, limit);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
