import { sql } from 'kysely';
import type pg from 'pg';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import type { Database } from '#platform/database/connection/database.ts';

/**
 * The first number of the advisory lock of a lane.
 *
 * The holder of an account's lane is the only one that writes its contacts. That is what lets the pipeline read contacts, apply requests to
 * them in memory and write them back without locking rows.
 */
const laneLockClass = advisoryLocks.lane;

/** Takes the lane of an account until the transaction ends; waits for the worker that holds it. */
export async function lockLane(trx: Database, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${laneLockClass}, ${accountId})`.execute(trx);
}

/** Like {@link lockLane}, but does not wait; false when the lane is held. */
export async function tryLane(trx: Database, accountId: number): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${laneLockClass}, ${accountId}) as taken`.execute(trx);
  return rows[0]!.taken;
}

/**
 * Takes the lane of an account for as long as the connection lives, or until {@link leaveLane}; false when another worker holds it.
 *
 * Nobody gets a lane unless he can have its lock exclusively; he who has it keeps a shared one, so that he can give it to other connections
 * of his ({@link shareLane}). Up to PostgreSQL 16 the shared one is refused when somebody begins to wait in between; then he has the turn.
 */
export async function takeLane(client: pg.ClientBase, accountId: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    `select case when pg_try_advisory_lock($1, $2)
      then case when pg_try_advisory_lock_shared($1, $2) then pg_advisory_unlock($1, $2) else not pg_advisory_unlock($1, $2) end
      else false end as taken`,
    [laneLockClass, accountId],
  );
  return rows[0]!.taken;
}

/**
 * Makes another connection hold a lane, too: it is free again when both have let go. False when somebody waits for the lane, who would keep
 * both waiting.
 */
export async function shareLane(holder: pg.ClientBase, other: pg.ClientBase, accountId: number): Promise<boolean> {
  const { rows } = await other.query<{ shared: boolean }>('select pg_try_advisory_lock_shared($1, $2) as shared', [
    laneLockClass,
    accountId,
  ]);
  // Had the holder lost its connection before that, somebody else could have the lane by now.
  await holder.query('select 1');
  return rows[0]!.shared;
}

/** Lets go of a lane that {@link takeLane} or {@link shareLane} gave to a connection. */
export async function leaveLane(client: pg.ClientBase, accountId: number): Promise<void> {
  await client.query('select pg_advisory_unlock_shared($1, $2)', [laneLockClass, accountId]);
}
