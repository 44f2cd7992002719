import { sql } from 'kysely';
import type pg from 'pg';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { allLanes } from '../operations/buckets.ts';

/**
 * The right to write the contacts of an account, or of one range of its buckets.
 *
 * Only the holder of a lane writes its contacts. So the pipeline can read contacts, apply requests
 * to them in memory and write them back without row locks.
 *
 * There are three kinds of advisory locks:
 *
 * - `allLanes` of an account: held by whoever has all its lanes.
 * - `lanesInUse` of an account: shared by the workers that have one of its lanes.
 * - `oneLane` of an account and a lane: held by the worker that has this lane.
 *
 * Who takes one lane shares `lanesInUse` first, then checks that nobody holds `allLanes`. Who takes
 * all lanes takes `allLanes` first, then checks that nobody shares `lanesInUse`. So of two that try
 * at the same time, at most one succeeds.
 */
export interface Lane {
  readonly accountId: number;
  /** The number of the lane, from 1; 0 for all lanes of the account. */
  readonly number: number;
  /** On a cluster: the term of the holder ({@link beginTerm}). */
  readonly term?: number;
}

/** Returns a text that identifies a lane. */
export function laneName({ accountId, number }: Lane): string {
  return `${accountId}/${number}`;
}

const all = advisoryLocks.allLanes;
const lanesInUse = advisoryLocks.lanesInUse;
const firstLane = advisoryLocks.firstLane;
const sharedRows = advisoryLocks.sharedRows;

/** Returns the class (first number) of the lock of one lane. */
function classOf({ number }: Lane): number {
  return firstLane + number;
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
 * Takes a lane until {@link leaveLane}, or until the connection closes. Returns false when another
 * worker holds it.
 *
 * Takes the lock exclusively, then downgrades it to a shared lock. So a second connection of the
 * same worker can join ({@link shareLane}). Up to PostgreSQL 16, the shared lock is refused if
 * another process starts to wait between the two steps. Then the other process goes first.
 */
export async function takeLane(client: pg.ClientBase, lane: Lane): Promise<boolean> {
  const { accountId, number } = lane;
  return number === allLanes
    ? isTrue(client, `select ${takeIfFree} as yes`, [all, accountId, lanesInUse])
    : isTrue(
        client,
        `select case when pg_try_advisory_lock_shared($4, $2)
           then case when ${takeIfFree} then true else not pg_advisory_unlock_shared($4, $2) end
           else false end as yes`,
        [classOf(lane), accountId, all, lanesInUse],
      );
}

/**
 * SQL that takes the lock ($1, $2) and downgrades it, if the lock ($3, $2) is free while the first
 * is held.
 */
const takeIfFree = `
  case when pg_try_advisory_lock($1, $2) then
    case when case when pg_try_advisory_lock($3, $2) then pg_advisory_unlock($3, $2) else false end then
      case when pg_try_advisory_lock_shared($1, $2) then pg_advisory_unlock($1, $2) else not pg_advisory_unlock($1, $2) end
      else not pg_advisory_unlock($1, $2) end
    else false end`;

/**
 * Makes a second connection hold a lane, too. The lane is free when both connections have left.
 * Returns false when another process waits for the lane: that process would have to wait for both.
 */
export async function shareLane(holder: pg.ClientBase, other: pg.ClientBase, lane: Lane): Promise<boolean> {
  const { accountId, number } = lane;
  const shared =
    number === allLanes
      ? await isTrue(other, 'select pg_try_advisory_lock_shared($1, $2) as yes', [all, accountId])
      : await isTrue(
          other,
          'select pg_try_advisory_lock_shared($1, $3) and pg_try_advisory_lock_shared($2, $3) as yes',
          [lanesInUse, classOf(lane), accountId],
        );
  // Check the connection of the holder. If it was lost, another process may already hold the lane.
  await holder.query('select 1');
  return shared;
}

/**
 * Begins the term of the holder of a lane on a cluster, and returns its number.
 *
 * The lock of the lane is on the coordinator, and the contacts are on a node. If the holder loses
 * the lock without noticing, another holder begins a term, which ends the earlier one: the earlier
 * holder then fails in {@link holdTerm}. Waits for its transaction under way.
 */
export async function beginTerm(client: pg.ClientBase | pg.Pool, { accountId, number }: Lane): Promise<number> {
  const { rows } = await client.query<{ term: number }>(
    `insert into lane_terms as l (account_id, lane, term) values ($1, $2, 1)
     on conflict (account_id, lane) do update set term = l.term + 1 returning term`,
    [accountId, number],
  );
  // The holder of one lane ends the term of the last holder of all lanes, and the other way round.
  await client.query(
    `update lane_terms set term = term + 1 where account_id = $1 and lane <> $2 and ($2 = ${allLanes} or lane = ${allLanes})`,
    [accountId, number],
  );
  return rows[0]!.term;
}

/**
 * Makes the next holder of a lane wait until the transaction ends. Throws {@link TermOver} when
 * another holder has begun a term. Does nothing on a single server, where the lock is enough.
 */
export async function holdTerm(client: pg.ClientBase, { accountId, number, term }: Lane): Promise<void> {
  if (term === undefined) return;
  const { rowCount } = await client.query(
    'select 1 from lane_terms where account_id = $1 and lane = $2 and term = $3 for share',
    [accountId, number, term],
  );
  if (rowCount === 0) throw new TermOver();
}

/** Another process holds the lane now. Nothing was written. */
export class TermOver extends Error {
  override readonly name = 'TermOver';
  constructor() {
    super('another process holds the lane');
  }
}

/** Ends the terms of all lanes of an account. On a single server, there are none. */
async function endTerms(trx: Database, accountId: number): Promise<void> {
  await sql`update lane_terms set term = term + 1 where account_id = ${accountId}`.execute(trx);
}

/** Leaves a lane that {@link takeLane} or {@link shareLane} took. */
export async function leaveLane(client: pg.ClientBase, lane: Lane): Promise<void> {
  const { accountId, number } = lane;
  if (number === allLanes) await client.query('select pg_advisory_unlock_shared($1, $2)', [all, accountId]);
  else {
    await client.query('select pg_advisory_unlock_shared($1, $3), pg_advisory_unlock_shared($2, $3)', [
      classOf(lane),
      lanesInUse,
      accountId,
    ]);
  }
}

/**
 * Makes the other lanes of the account wait until the transaction ends, when they come to the rows
 * that all lanes change, such as counts. Does nothing for the holder of all lanes.
 */
export async function lockSharedRows(client: pg.ClientBase, { accountId, number }: Lane): Promise<void> {
  if (number !== allLanes) await client.query('select pg_advisory_xact_lock($1, $2)', [sharedRows, accountId]);
}

async function isTrue(client: pg.ClientBase, text: string, values: readonly number[]): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean }>(text, [...values]);
  return rows[0]!.yes;
}
