import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { repeatUntilAborted } from '#platform/loops/repeat-until-aborted.ts';
import { makePartition, partitionedTables, partitionName } from './partitions.ts';
import { millisecondsPerDay } from '#platform/time/day-length.ts';

// Partitions are made this many days ahead, so that a worker that is down for some days stops nothing.
const daysAhead = 7;

/**
 * Makes the partitions of the coming days, again until it works.
 *
 * For an API process before it accepts anything and a worker before it applies anything, so that as a rule no row is ever moved from the default
 * partition: whoever wants one meanwhile has to wait.
 */
export async function preparePartitions(context: Context): Promise<void> {
  const made = new AbortController();
  const make = async (): Promise<void> => {
    await context.db.transaction().execute(async (trx) => makePartitions(trx, context));
    made.abort();
  };
  const onError = (error: unknown): void =>
    context.log.warn({ err: describeError(error) }, 'the partitions cannot be made yet; it is tried again');
  await repeatUntilAborted(make, { signal: made.signal, first: 500, onError });
}

/** Makes those partitions of the coming days that are not there, and answers the names of those that were. */
export async function makePartitions(trx: Database, context: Pick<Context, 'now'>): Promise<ReadonlySet<string>> {
  const today = dayOf(context.now());
  // One process at a time; the next one finds the work done.
  await sql`select pg_advisory_xact_lock(${advisoryLocks.requestPartitions}, 0)`.execute(trx);
  // Taking a lock on a busy table must not make everyone queue behind us.
  await sql`set local lock_timeout = '2s'`.execute(trx);
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent::regclass::text in (${sql.join([...partitionedTables])})`.execute(trx);
  const existing = new Set(rows.map((row) => row.name));
  for (const table of partitionedTables) {
    for (let day = today; day <= today + daysAhead; day++) {
      if (!existing.has(partitionName(table, day))) await makePartition(trx, table, day);
    }
  }
  return existing;
}

/** The day of a moment, counted from 1970-01-01 in UTC. */
export function dayOf(time: Date): number {
  return Math.floor(time.getTime() / millisecondsPerDay);
}
