import { sql } from 'kysely';
import type pg from 'pg';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { monthOfPartition, partitionName } from './partition-name.ts';
import { startOfMonth, type Month } from '#platform/time/month.ts';

/** A partition of the table `activities`. */
export interface Partition {
  readonly name: string;
  readonly month: Month;
}

/** Returns the partitions, newest first. A partition that is being detached is not included. */
export async function listPartitions(db: Database): Promise<Partition[]> {
  return (await readPartitions(db)).filter((partition) => !partition.isDetaching);
}

/** Returns the partition whose DETACH was interrupted, if there is one. */
export async function findDetachingPartition(db: Database): Promise<Partition | undefined> {
  return (await readPartitions(db)).find((partition) => partition.isDetaching);
}

async function readPartitions(db: Database): Promise<(Partition & { readonly isDetaching: boolean })[]> {
  const { rows } = await sql<{ name: string; detaching: boolean }>`
    select c.relname as name, i.inhdetachpending as detaching from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'activities'::regclass order by c.relname desc`.execute(db);
  return rows.flatMap(({ name, detaching }) => {
    const month = monthOfPartition(name);
    return month === undefined ? [] : [{ name, month, isDetaching: detaching }];
  });
}

/** True when any of these months has no partition. */
export async function arePartitionsMissing(db: Database, months: Iterable<Month>): Promise<boolean> {
  const existing = new Set((await readPartitions(db)).map(({ month }) => month));
  return !new Set(months).isSubsetOf(existing);
}

/**
 * Creates the missing partitions of some months, in a transaction. This blocks other changes of the
 * partitions until the transaction ends, but not readers and writers. `lockTimeout`: seconds of the
 * longest wait for a lock; default: as long as needed.
 */
export async function createPartitions(trx: Database, months: Iterable<Month>, lockTimeout?: number): Promise<void> {
  const wanted = new Set(months);
  for (const { month } of await readPartitions(trx)) wanted.delete(month);
  if (wanted.size === 0) return;
  if (lockTimeout !== undefined) await sql`set local lock_timeout = ${sql.lit(`${lockTimeout}s`)}`.execute(trx);
  await sql`select pg_advisory_xact_lock(${advisoryLocks.activityPartitions}, 0)`.execute(trx);
  for (const { month } of await readPartitions(trx)) wanted.delete(month);
  for (const month of wanted) {
    const name = sql.id(partitionName(month));
    // Such a table was detached because it is too old, but the upkeep was interrupted before DROP.
    await sql`drop table if exists ${name}`.execute(trx);
    await sql`create table ${name} (like activities including defaults including constraints including storage)`.execute(
      trx,
    );
    await sql`
      alter table activities attach partition ${name}
      for values from (${sql.lit(startOfMonth(month))}) to (${sql.lit(startOfMonth(month + 1))})`.execute(trx);
  }
}

/**
 * Takes the lock for dropping partitions; false if another process has it. The lock is released
 * when the connection closes.
 */
export async function tryLockDropping(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ claimed: boolean }>('select pg_try_advisory_lock($1, 1) as claimed', [
    advisoryLocks.activityPartitions,
  ]);
  return rows[0]!.claimed;
}

/** Releases the lock of {@link tryLockDropping}. */
export async function unlockDropping(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_unlock($1, 1)', [advisoryLocks.activityPartitions]);
}
