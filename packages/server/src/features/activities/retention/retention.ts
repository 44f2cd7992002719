import type { Context } from '#platform/context.ts';
import { databaseOn } from '#platform/database/connection/database.ts';
import { monthOf, oldestMonth } from '../store/month.ts';
import {
  claimDropping,
  dropPartition,
  endDropping,
  leavingPartition,
  listPartitions,
  makePartitions,
} from '../store/partition-store.ts';
import { accountsBeyond, deleteAwaitedOptOuts, deleteRows, longestRetention } from './retention-store.ts';

// Beside the current month, so that the records of its last days do not have to make a partition first.
const monthsAhead = 2;
// Rows a statement, so that nobody waits for one.
const rowsAtOnce = 5000;
// The clocks of the machines of a deployment differ by less.
const day = 86_400_000;

/**
 * Makes the partitions of the coming months, and deletes the activities that are older than their accounts keep them: whole partitions where
 * no account wants them any more, rows where others do.
 */
export async function keepActivities(context: Context, signal: AbortSignal): Promise<void> {
  const now = context.now().getTime();
  const current = monthOf(now);
  await context.db.transaction().execute((trx) => makePartitions(trx, monthsFrom(current, monthsAhead)));
  const longest = await longestRetention(context.db);
  // A day later than records of the month are refused, so that none is on its way into the partition.
  await dropPartitions(context, oldestMonth(now - day, longest), signal);
  for (const { name, month } of await listPartitions(context.db)) {
    // What the longest retention has passed is dropped as a whole, at the latest tomorrow.
    if (month >= current || month < oldestMonth(now, longest)) continue;
    for (const accountId of await accountsBeyond(context.db, name, current - month)) {
      while (!signal.aborted && (await deleteRows(context.db, accountId, name, rowsAtOnce)) === rowsAtOnce);
    }
  }
  await deleteAwaitedOptOuts(context.db, context.now());
}

async function dropPartitions({ pool, log }: Context, oldest: number, signal: AbortSignal): Promise<void> {
  const client = await pool.connect();
  const db = databaseOn(client);
  let broken = true;
  try {
    if (await claimDropping(client)) {
      // Only one partition can be on its way out at a time.
      const leaving = await leavingPartition(db);
      const expired = (await listPartitions(db)).filter(({ month }) => month < oldest).reverse();
      for (const partition of leaving === undefined ? expired : [leaving, ...expired]) {
        if (signal.aborted || !(await dropPartition(client, partition.name, partition === leaving))) break;
        log.info({ partition: partition.name }, 'activities that no account keeps any more were dropped');
      }
      await endDropping(client);
    }
    broken = false;
  } finally {
    client.release(broken);
  }
}

function monthsFrom(first: number, count: number): number[] {
  return Array.from({ length: count + 1 }, (_, at) => first + at);
}
