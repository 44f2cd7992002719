import { sql } from 'kysely';
import type pg from 'pg';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import type { Database } from '#platform/database/connection/database.ts';

/**
 * The class (first number) of the advisory lock of a lane.
 *
 * Only the holder of the lane of an account writes its contacts. So the pipeline can read contacts,
 * apply requests to them in memory and write them back without row locks.
 */
const laneLockClass = advisoryLocks.lane;

/** Takes the lane of an account until the transaction ends. Waits for the current holder. */
export async function lockLane(trx: Database, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${laneLockClass}, ${accountId})`.execute(trx);
}

/** Like {@link lockLane}, but returns false at once when another process holds the lane. */
export async function tryLane(trx: Database, accountId: number): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${laneLockClass}, ${accountId}) as taken`.execute(trx);
  return rows[0]!.taken;
}

/**
 * Takes the lane of an account until {@link leaveLane}, or until the connection closes. Returns
 * false when another worker holds the lane.
 *
 * Takes the lock exclusively, then downgrades it to a shared lock. So a second connection of the
 * same worker can join ({@link shareLane}). Up to PostgreSQL 16, the shared lock is refused if
 * another process starts to wait between the two steps. Then the other process goes first.
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
 * Makes a second connection hold the lane, too. The lane is free when both connections have left.
 * Returns false when another process waits for the lane: that process would have to wait for both.
 */
export async function shareLane(holder: pg.ClientBase, other: pg.ClientBase, accountId: number): Promise<boolean> {
  const { rows } = await other.query<{ shared: boolean }>('select pg_try_advisory_lock_shared($1, $2) as shared', [
    laneLockClass,
    accountId,
  ]);
  // Check the connection of the holder. If it was lost, another process may already hold the lane.
  await holder.query('select 1');
  return rows[0]!.shared;
}

/** Leaves a lane that {@link takeLane} or {@link shareLane} took. */
export async function leaveLane(client: pg.ClientBase, accountId: number): Promise<void> {
  await client.query('select pg_advisory_unlock_shared($1, $2)', [laneLockClass, accountId]);
}
