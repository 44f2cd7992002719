import { sql } from 'kysely';
import pg from 'pg';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { monthOfPartition, partitionOf, startOfMonth, type Month } from './month.ts';

// Seconds. A stop of the process waits as long.
const patience = 3;
const lockNotAvailable = '55P03';

/** A partition of the activities. */
export interface Partition {
  readonly name: string;
  readonly month: Month;
}

/** The partitions of the activities, the newest first; without those that are being detached, which no query sees. */
export async function listPartitions(db: Database): Promise<Partition[]> {
  return (await readPartitions(db)).filter((partition) => !partition.isLeaving);
}

/** The partition whose detachment was interrupted; undefined when there is none. */
export async function leavingPartition(db: Database): Promise<Partition | undefined> {
  return (await readPartitions(db)).find((partition) => partition.isLeaving);
}

async function readPartitions(db: Database): Promise<(Partition & { readonly isLeaving: boolean })[]> {
  const { rows } = await sql<{ name: string; leaving: boolean }>`
    select c.relname as name, i.inhdetachpending as leaving from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'activities'::regclass order by c.relname desc`.execute(db);
  return rows.flatMap(({ name, leaving }) => {
    const month = monthOfPartition(name);
    return month === undefined ? [] : [{ name, month, isLeaving: leaving }];
  });
}

/** True when any of these months has no partition. */
export async function lacksPartitions(db: Database, months: Iterable<Month>): Promise<boolean> {
  const there = new Set((await readPartitions(db)).map(({ month }) => month));
  return !new Set(months).isSubsetOf(there);
}

/**
 * Makes the partitions of those months that have none, in a transaction.
 *
 * Attaching a table locks out nobody who reads or writes, only other changes of the partitions.
 */
export async function makePartitions(trx: Database, months: Iterable<Month>): Promise<void> {
  const wanted = new Set(months);
  for (const { month } of await readPartitions(trx)) wanted.delete(month);
  if (wanted.size === 0) return;
  await sql`select pg_advisory_xact_lock(${advisoryLocks.activityPartitions}, 0)`.execute(trx);
  for (const { month } of await readPartitions(trx)) wanted.delete(month);
  for (const month of wanted) {
    const name = sql.id(partitionOf(month));
    // Detached by an upkeep that was interrupted before it dropped it: nobody wants what is in it.
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
 * Takes a partition out of the activities and drops it, on a connection of its own that has no transaction.
 *
 * Detaching concurrently locks out nobody: it waits for those who use the activities at this moment, while others begin. One who takes very
 * long, such as a backup, is not waited for: false, and the next call goes on with {@link leavingPartition}.
 */
export async function dropPartition(client: pg.ClientBase, name: string, isLeaving: boolean): Promise<boolean> {
  const partition = pg.escapeIdentifier(name);
  await client.query(`set lock_timeout = '${patience}s'`);
  try {
    await client.query(
      `alter table activities detach partition ${partition} ${isLeaving ? 'finalize' : 'concurrently'}`,
    );
    await client.query(`drop table ${partition}`);
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === lockNotAvailable) return false;
    throw error;
  } finally {
    await client.query('reset lock_timeout');
  }
}

/** Has one process at a time drop partitions; false when another does. Ends with the connection. */
export async function claimDropping(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ claimed: boolean }>('select pg_try_advisory_lock($1, 1) as claimed', [
    advisoryLocks.activityPartitions,
  ]);
  return rows[0]!.claimed;
}

/** Lets go of what {@link claimDropping} has claimed. */
export async function endDropping(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_unlock($1, 1)', [advisoryLocks.activityPartitions]);
}
