import { sql } from 'kysely';
import type pg from 'pg';
import { areAccountsShown } from '#platform/database/statements/opaque-account.ts';
import { commitInTwoPhases } from '#platform/database/layout/needs-coordinator.ts';
import { holdShard } from '#platform/database/layout/hold-shard.ts';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { allLanes } from '../operations/buckets.ts';

/** One lane of an account, or all of them. */
export interface Lane {
  readonly accountId: number;
  /** The number of the lane, from 1; 0 for all lanes of the account. */
  readonly number: number;
}

/**
 * The right to write the contacts of an account, or of some of its buckets.
 *
 * Only the holder of a lane writes its contacts. So the pipeline can read contacts, apply requests
 * to them in memory and write them back without row locks.
 *
 * There are three kinds of advisory locks:
 *
 * - `allLanes` of an account: held by whoever has all its lanes.
 * - `lanesInUse` of an account: shared by the workers that have some of its lanes.
 * - `firstLane` plus the number of a lane, of an account: held by the worker that has this lane.
 *
 * To take some lanes, a worker first shares `lanesInUse`, then checks that nobody holds `allLanes`. To
 * take all lanes, it first takes `allLanes`, then checks that nobody shares `lanesInUse`. If two try
 * at the same time, at most one succeeds.
 */
export interface Lanes {
  readonly accountId: number;
  /** The numbers of the lanes, from 1; only 0 for all lanes of the account. */
  readonly numbers: readonly number[];
  /** On a cluster: the terms of the holder, in the order of the numbers ({@link beginTerms}). */
  readonly terms?: readonly number[];
  /** On a cluster: the shard with the contacts, if batches write its tables directly. */
  readonly shardId?: number | undefined;
}

/** Returns a text that identifies a lane. */
export function laneName({ accountId, number }: Lane): string {
  return `${accountId}/${number}`;
}

/** Returns the lane with a {@link laneName}. */
export function laneOf(name: string): Lane {
  const [accountId, number] = name.split('/').map(Number) as [number, number];
  return { accountId, number };
}

/** True for all lanes of an account together. */
export function areAllLanes({ numbers }: Lanes): boolean {
  return numbers[0] === allLanes;
}

const all = advisoryLocks.allLanes;
const lanesInUse = advisoryLocks.lanesInUse;
const firstLane = advisoryLocks.firstLane;
const sharedRows = advisoryLocks.sharedRows;

/** The row of `lane_terms` that {@link lockSharedRows} locks. It is no lane. */
const sharedRowsLane = -1;

/** Returns the classes (first numbers) of the locks that a holder shares. */
function locksOf(lanes: Lanes): readonly number[] {
  return areAllLanes(lanes) ? [all] : [...lanes.numbers.map((number) => firstLane + number), lanesInUse];
}

/** Takes all lanes of an account until the transaction ends. Waits for the current holders. */
export async function lockLane(trx: Database, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${all}, ${accountId})`.execute(trx);
  await sql`select pg_advisory_xact_lock(${lanesInUse}, ${accountId})`.execute(trx);
  await endTerms(trx, accountId);
}

/** Like {@link lockLane}, but returns false at once when another process holds a lane. */
export async function tryLane(trx: Database, accountId: number): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select case when pg_try_advisory_xact_lock(${all}, ${accountId})
      then pg_try_advisory_xact_lock(${lanesInUse}, ${accountId}) else false end as taken`.execute(trx);
  const { taken } = rows[0]!;
  if (taken) await endTerms(trx, accountId);
  return taken;
}

/**
 * Takes up to `most` of the given lanes until {@link leaveLanes}, or until the connection closes.
 * Returns those that no other worker holds; undefined if there are none.
 *
 * Takes each lock exclusively, then downgrades it to a shared lock. So a second connection of the
 * same worker can join ({@link shareLanes}). Up to PostgreSQL 16, the shared lock is refused if
 * another process starts to wait between the two steps. Then the other process goes first.
 */
export async function takeLanes(client: pg.ClientBase, lanes: Lanes, most: number): Promise<Lanes | undefined> {
  const { accountId, numbers } = lanes;
  if (areAllLanes(lanes)) {
    const isTaken = await isTrue(client, 'take all lanes', takeIfFree, [all, accountId, lanesInUse]);
    return isTaken ? lanes : undefined;
  }
  if (!(await isTrue(client, 'share lanes', shareIfFree, [lanesInUse, accountId, all]))) return undefined;
  // Without a sort, the limit ends the scan. So no more locks are tried than needed.
  const { rows } = await client.query<{ number: number }>({
    name: 'take lanes',
    text: `
     select number from unnest($1::int[]) as number
     where case when pg_try_advisory_lock($2 + number, $3) then ${downgrade('$2 + number', '$3')} else false end
     limit $4`,
    values: [numbers, firstLane, accountId, most],
  });
  if (rows.length > 0) return { accountId, numbers: rows.map(({ number }) => number).sort((a, b) => a - b) };
  await client.query('select pg_advisory_unlock_shared($1, $2)', [lanesInUse, accountId]);
  return undefined;
}

/** SQL that downgrades an exclusive lock to a shared one. False if it was released instead. */
function downgrade(lock: string, accountId: string): string {
  return `case when pg_try_advisory_lock_shared(${lock}, ${accountId})
    then pg_advisory_unlock(${lock}, ${accountId}) else not pg_advisory_unlock(${lock}, ${accountId}) end`;
}

/** SQL that is true if the lock ($3, $2) is free. */
const isFree = `case when pg_try_advisory_lock($3, $2) then pg_advisory_unlock($3, $2) else false end`;

/** SQL that takes the lock ($1, $2) and downgrades it, if the lock ($3, $2) is free while the first is held. */
const takeIfFree = `
  case when pg_try_advisory_lock($1, $2) then
    case when ${isFree} then ${downgrade('$1', '$2')} else not pg_advisory_unlock($1, $2) end
    else false end`;

/** SQL that shares the lock ($1, $2), if the lock ($3, $2) is free while the first is shared. */
const shareIfFree = `
  case when pg_try_advisory_lock_shared($1, $2) then
    case when ${isFree} then true else not pg_advisory_unlock_shared($1, $2) end
    else false end`;

/**
 * Makes a second connection hold lanes, too. They are free when both connections have left. Returns
 * false when another process waits for one of them: that process would have to wait for both. Then
 * close the second connection, because it can hold some of the locks.
 */
export async function shareLanes(holder: pg.ClientBase, other: pg.ClientBase, lanes: Lanes): Promise<boolean> {
  const { rows } = await other.query<{ yes: boolean }>(
    'select bool_and(pg_try_advisory_lock_shared(lock, $2)) as yes from unnest($1::int[]) as lock',
    [locksOf(lanes), lanes.accountId],
  );
  // Check the connection of the holder. If it was lost, another process may already hold the lanes.
  await holder.query('select 1');
  return rows[0]!.yes;
}

/**
 * Begins the terms of the holder of lanes on a cluster. Returns the lanes with the terms.
 *
 * The lock of a lane is on the coordinator, and the contacts are on a node. If the holder loses the
 * lock without noticing, another holder begins a term, which ends the earlier one: the earlier
 * holder then fails in {@link holdTerms}. Waits for its transaction under way.
 */
export async function beginTerms(client: pg.ClientBase | pg.Pool, lanes: Lanes): Promise<Lanes> {
  const { accountId, numbers } = lanes;
  const { rows } = await client.query<{ lane: number; term: number }>(
    `insert into lane_terms as l (account_id, lane, term) select $1, lane, 1 from unnest($2::smallint[]) as lane
     on conflict (account_id, lane) do update set term = l.term + 1 returning lane, term`,
    [accountId, numbers],
  );
  // The holder of some lanes ends the term of the last holder of all lanes, and the other way round.
  await client.query(
    `update lane_terms set term = term + 1
     where account_id = $1 and lane >= ${allLanes} and lane <> all ($2::smallint[]) and ($3 or lane = ${allLanes})`,
    [accountId, numbers, areAllLanes(lanes)],
  );
  return { ...lanes, terms: numbers.map((number) => rows.find(({ lane }) => lane === number)!.term) };
}

/**
 * Makes the next holder of any of these lanes wait until the transaction ends. Keeps the shard on its
 * node until then ({@link holdShard}). Throws {@link TermOver} when another holder has begun a term,
 * and `ShardMoved` when the shard is elsewhere. Does nothing on a single server, where the locks are
 * enough.
 */
export async function holdTerms(client: pg.ClientBase, { accountId, numbers, terms, shardId }: Lanes): Promise<void> {
  if (terms === undefined) return;
  // Without a shard, the connection is to the coordinator.
  if (shardId === undefined) await client.query(commitInTwoPhases);
  else await holdShard(client, shardId);
  const { rowCount } = await client.query(
    `select 1 from lane_terms where account_id = $1
     and (lane, term) in (select * from unnest($2::smallint[], $3::bigint[]))
     order by lane for share`,
    [accountId, numbers, terms],
  );
  if (rowCount !== numbers.length) throw new TermOver();
}

/** Another process holds one of the lanes now. Nothing was written. */
export class TermOver extends Error {
  override readonly name = 'TermOver';
  constructor() {
    super('another process holds the lane');
  }
}

/** Ends the terms of all lanes of an account. On a single server, there are none. */
async function endTerms(trx: Database, accountId: number): Promise<void> {
  await sql`update lane_terms set term = term + 1 where account_id = ${accountId} and lane >= ${allLanes}`.execute(trx);
}

/** Leaves lanes that {@link takeLanes} or {@link shareLanes} took. */
export async function leaveLanes(client: pg.ClientBase, lanes: Lanes): Promise<void> {
  await client.query({
    name: 'leave lanes',
    text: 'select pg_advisory_unlock_shared(lock, $2) from unnest($1::int[]) as lock',
    values: [locksOf(lanes), lanes.accountId],
  });
}

/**
 * Makes the other lanes of the account wait until the transaction ends, when they come to the rows
 * that all lanes change, such as counts. Does nothing for the holder of all lanes.
 *
 * On a cluster, this locks a row. Advisory locks are those of one server, and two lanes can write
 * through different servers: through the coordinator, or while the account moves.
 */
export async function lockSharedRows(client: pg.ClientBase, lanes: Lanes): Promise<void> {
  if (areAllLanes(lanes)) return;
  if (!areAccountsShown()) {
    await client.query('select pg_advisory_xact_lock($1, $2)', [sharedRows, lanes.accountId]);
    return;
  }
  const row = [lanes.accountId, sharedRowsLane];
  const locked = await client.query('select from lane_terms where account_id = $1 and lane = $2 for update', row);
  if (locked.rowCount === 1) return;
  await client.query(
    `insert into lane_terms (account_id, lane, term) values ($1, $2, 0)
     on conflict (account_id, lane) do update set term = lane_terms.term`,
    row,
  );
}

async function isTrue(
  client: pg.ClientBase,
  name: string,
  condition: string,
  values: readonly number[],
): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean }>({
    name,
    text: `select ${condition} as yes`,
    values: [...values],
  });
  return rows[0]!.yes;
}
