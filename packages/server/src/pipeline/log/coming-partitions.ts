import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { repeatUntilAborted } from '#platform/loops/repeat-until-aborted.ts';
import { makePartition, partitionedTables, partitionName } from './partitions.ts';
import { millisecondsPerDay } from '#platform/time/intervals.ts';

// A worker can be down for some days before a partition is missing.
const daysAhead = 7;

/**
 * Creates the partitions of the coming days, and retries until it succeeds.
 *
 * An API process does this before it accepts requests, and a worker before it applies any. So rows
 * rarely have to be moved from the default partition, which blocks other queries.
 */
export async function preparePartitions(context: Context): Promise<void> {
  const made = new AbortController();
  const make = async (): Promise<void> => {
    await makePartitions(context);
    made.abort();
  };
  const onError = (error: unknown): void =>
    context.log.warn({ err: describeError(error) }, 'could not create the partitions; retrying');
  await repeatUntilAborted(make, { signal: made.signal, first: 500, onError });
}

/**
 * Creates the missing partitions of the coming days, each in a transaction. On a cluster, requests
 * wait for such a transaction: each of their statements locks all partitions.
 */
export async function makePartitions(context: Pick<Context, 'db' | 'now'>): Promise<void> {
  const makeNext = (): Promise<boolean> =>
    context.db.transaction().execute(async (trx) => makeNextPartition(trx, context));
  while (await makeNext());
}

/** Creates the first missing partition of the coming days. Returns false when none is missing. */
export async function makeNextPartition(trx: Database, context: Pick<Context, 'now'>): Promise<boolean> {
  const today = dayOf(context.now());
  const existing = await lockPartitions(trx);
  for (const table of partitionedTables) {
    for (let day = today; day <= today + daysAhead; day++) {
      if (existing.has(partitionName(table, day))) continue;
      await makePartition(trx, table, day);
      return true;
    }
  }
  return false;
}

/**
 * Lets a transaction create and drop partitions, and returns the names of all partitions. One process
 * at a time: the next process finds the work done.
 */
export async function lockPartitions(trx: Database): Promise<ReadonlySet<string>> {
  await sql`select pg_advisory_xact_lock(${advisoryLocks.requestPartitions}, 0)`.execute(trx);
  // While this transaction waits for the lock of a busy table, later queries wait, too.
  await sql`set local lock_timeout = '2s'`.execute(trx);
  // A cluster would attach the partitions of its shards on several connections, which wait for each
  // other. Plain PostgreSQL ignores this setting.
  await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(trx);
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent::regclass::text in (${sql.join([...partitionedTables])})`.execute(trx);
  return new Set(rows.map((row) => row.name));
}

/** Returns the day of a time: the number of days since 1970-01-01 in UTC. */
export function dayOf(time: Date): number {
  return Math.floor(time.getTime() / millisecondsPerDay);
}
