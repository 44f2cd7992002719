import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { millisecondsPerDay } from '#platform/time/intervals.ts';

/** The tables that are partitioned by day on request_id. */
export const partitionedTables = ['requests', 'request_results', 'request_failures'] as const;

/** A table that is partitioned by day. */
export type PartitionedTable = (typeof partitionedTables)[number];

/** Returns the name of the partition of a day, counted from 1970-01-01 in UTC. */
export function partitionName(table: PartitionedTable, day: number): string {
  return `${table}_${new Date(day * millisecondsPerDay).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/** Returns the day of a partition; undefined for the default partition and for other tables. */
export function dayOfPartition(table: PartitionedTable, name: string): number | undefined {
  const match = new RegExp(`^${table}_(\\d{4})(\\d\\d)(\\d\\d)$`).exec(name);
  return match === null ? undefined : Date.parse(`${match[1]}-${match[2]}-${match[3]}`) / millisecondsPerDay;
}

/**
 * Returns the lower bound of the UUIDs (version 7) of a day. Their first 48 bits are the time in
 * milliseconds. Version and variant are 0 here, so every identifier of the day is greater.
 */
function firstIdOf(day: number): string {
  const time = (day * millisecondsPerDay).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/**
 * Creates the partition of a day, in a transaction. Moves requests of that day out of the default
 * partition, if there are any.
 *
 * Throws if there were no such requests, but one arrives during the call. Then try again.
 */
export async function makePartition(trx: Database, table: PartitionedTable, day: number): Promise<void> {
  const name = partitionName(table, day);
  const from = sql.lit(firstIdOf(day));
  const to = sql.lit(firstIdOf(day + 1));
  const fallback = sql.id(`${table}_default`);
  const hasRows =
    await sql`select 1 from ${fallback} where request_id >= ${from} and request_id < ${to} limit 1`.execute(trx);
  // A statement that is already planned reads only the partitions that existed then. It would not
  // find the moved rows. This lock makes statements wait before they are planned. It is rarely
  // needed, because usually no rows have to be moved.
  const movesRows = hasRows.rows.length > 0;
  if (movesRows) await sql`lock table only ${sql.table(table)} in access exclusive mode`.execute(trx);
  // PostgreSQL attaches the partition only when the default partition has no rows of its range. So
  // the rows are moved in the same transaction.
  await sql`lock table ${fallback} in access exclusive mode`.execute(trx);
  await sql`create table ${sql.id(name)} (like ${sql.table(table)} including defaults including constraints including storage)`.execute(
    trx,
  );
  const moved = await sql`
    with moved as (delete from ${fallback} where request_id >= ${from} and request_id < ${to} returning *)
    insert into ${sql.id(name)} select * from moved`.execute(trx);
  // It is too late to lock the parent table. That could deadlock with a statement that holds the
  // parent and waits for the default partition.
  if (!movesRows && moved.numAffectedRows !== 0n) throw new Error(`rows for ${name} arrived while it was made`);
  await sql`alter table ${sql.table(table)} attach partition ${sql.id(name)} for values from (${from}) to (${to})`.execute(
    trx,
  );
}
