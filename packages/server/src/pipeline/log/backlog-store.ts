import { sql } from 'kysely';
import { allLanes, lanesPerAccount } from '../operations/buckets.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { AccountServers, ServerWithQueues } from '#platform/database/layout/account-servers.ts';
import { pause } from '#platform/loops/pause.ts';

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
  /** Number of waiting requests among the first {@link backlogCountedTo} rows of each queue. */
  readonly requests: number;
  /** Number of their items. */
  readonly items: number;
  /** When the oldest waiting request was accepted; null when none waits. */
  readonly oldest: Date | null;
  /** How many servers with accounts were read. */
  readonly reachable: number;
  /** How many were not, because they did not respond. On a single server, that is an error instead. */
  readonly unreachable: number;
}

/** Rows of a queue are counted up to this number. The exact count beyond it is not needed. */
export const backlogCountedTo = 10_000;

// In practice, fewer lanes than this have waiting requests at the same time.
const lanes = 1000;

// Milliseconds to wait for a node of a cluster. Health checks need their response within 3 s.
const patience = 1500;

/** Reads the backlog of all servers. Leaves out the nodes of a cluster that do not respond. */
export async function readBacklog(servers: Pick<AccountServers, 'all'>): Promise<Backlog> {
  const all = await servers.all();
  const [only] = all;
  if (all.length === 1) return { ...(await readFrom(only!)), reachable: 1, unreachable: 0 };
  const read = await Promise.all(
    all.map(async (server) =>
      server.isDown
        ? undefined
        : Promise.race([readFrom(server), pause(patience, { ref: false })]).catch(() => undefined),
    ),
  );
  const found = read.filter((one) => typeof one === 'object');
  const oldest = found.flatMap((one) => (one.oldest === null ? [] : [one.oldest.getTime()]));
  return {
    requests: found.reduce((sum, { requests }) => sum + requests, 0),
    items: found.reduce((sum, { items }) => sum + items, 0),
    oldest: oldest.length === 0 ? null : new Date(Math.min(...oldest)),
    reachable: found.length,
    unreachable: all.length - found.length,
  };
}

/**
 * Reads the backlog of a server. The oldest request of a lane is the first of its queue. So the query
 * reads one index entry for each lane, however many requests wait. Parts of a request count as one
 * request.
 */
async function readFrom({ pool, queues }: ServerWithQueues): Promise<Pick<Backlog, 'requests' | 'items' | 'oldest'>> {
  const { rows } = await pool.query<Pick<Backlog, 'requests' | 'items' | 'oldest'>>(
    `/* all accounts */ select sum(requests)::bigint as requests, sum(items)::bigint as items, min(oldest) as oldest
     from (${queues.map(backlogOf).join(' union all ')}) as queues`,
  );
  return rows[0]!;
}

/** SQL for the backlog in a table of waiting requests. */
function backlogOf(table: string): string {
  return `(
    with recursive first as (
      (select account_id, lane, accepted_at from ${table} order by account_id, lane, seq limit 1)
      union all
      select next.account_id, next.lane, next.accepted_at from first cross join lateral (
        select account_id, lane, accepted_at from ${table} q
        where (q.account_id, q.lane) > (first.account_id, first.lane)
        order by account_id, lane, seq limit 1
      ) next
    )
    select count(distinct request_id) as requests, coalesce(sum(total), 0) as items,
      (select min(accepted_at) from (select accepted_at from first limit ${lanes}) f) as oldest
    from (select request_id, total from ${table} limit ${backlogCountedTo}) q)`;
}
