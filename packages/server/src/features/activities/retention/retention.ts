import type { Context } from '#platform/context.ts';
import { lockLane } from '#pipeline/queue/lane.ts';
import { deleteCountsBefore } from '../counts/activity-count-store.ts';
import { dropPartition } from '#platform/database/layout/drop-partition.ts';
import { databaseOn } from '#platform/database/connection/database.ts';
import { deleteInSteps } from '#platform/loops/delete-in-steps.ts';
import { millisecondsPerDay } from '#platform/time/intervals.ts';
import { monthOf, oldestMonth } from '#platform/time/month.ts';
import {
  createPartitions,
  findDetachingPartition,
  listPartitions,
  tryLockDropping,
  unlockDropping,
  type Partition,
} from '../store/partition-store.ts';
import { accountsWithShorterRetention, deleteAwaitedOptOuts, deleteRows, longestRetention } from './retention-store.ts';

// Partitions are created this many months ahead, so that requests do not have to create them.
const monthsAhead = 2;
// Rows per transaction. It keeps transactions short, because the pipeline waits for the lane
// meanwhile.
const rowsPerStep = 5000;
// Milliseconds. More than the clocks of the machines of a deployment differ.
const clockTolerance = millisecondsPerDay;

/** Creates the partitions of the coming months. */
export async function makeComingPartitions({ db, now }: Context): Promise<void> {
  const months = monthsFrom(monthOf(now().getTime()), monthsAhead);
  await db.transaction().execute((trx) => createPartitions(trx, months));
}

/**
 * Creates the partitions of the coming months, and deletes activities older than the retention time
 * of their account. It drops partitions that no account needs, and deletes rows from the others.
 */
export async function applyRetention(context: Context, signal: AbortSignal): Promise<void> {
  const now = context.now().getTime();
  const current = monthOf(now);
  await makeComingPartitions(context);
  const longest = await longestRetention(context.db);
  // Drop a partition one day after new records for its month are refused. No process can write to
  // it any more then.
  await dropPartitions(context, oldestMonth(now - clockTolerance, longest), signal);
  for (const partition of await listPartitions(context.db)) {
    const { name, month } = partition;
    // Partitions older than the longest retention time are dropped above, today or tomorrow.
    if (month >= current || month < oldestMonth(now, longest)) continue;
    for (const accountId of await accountsWithShorterRetention(context, name, current - month)) {
      await deleteInSteps(signal, (limit) => deleteStep(context, accountId, partition, limit), rowsPerStep);
    }
  }
  await deleteAwaitedOptOuts(context.db, context.now());
}

async function deleteStep({ db }: Context, accountId: number, partition: Partition, limit: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await lockLane(trx, accountId);
    return deleteRows(trx, accountId, partition, limit);
  });
}

async function dropPartitions({ config, pool, log }: Context, oldest: number, signal: AbortSignal): Promise<void> {
  const client = await pool.connect();
  const db = databaseOn(client);
  let broken = true;
  try {
    if (await tryLockDropping(client)) {
      // PostgreSQL detaches one partition at a time.
      const detaching = await findDetachingPartition(db);
      const expired = (await listPartitions(db)).filter(({ month }) => month < oldest).reverse();
      for (const partition of detaching === undefined ? expired : [detaching, ...expired]) {
        const dropped = { of: 'activities' as const, name: partition.name, isDetaching: partition === detaching };
        if (signal.aborted || !(await dropPartition(client, config.layout, dropped))) break;
        log.info(
          { partition: partition.name },
          'dropped a partition of activities that are older than the retention time',
        );
      }
      if (expired.length > 0 || detaching !== undefined) await deleteCountsBefore(db, oldest);
      await unlockDropping(client);
    }
    broken = false;
  } finally {
    client.release(broken);
  }
}

function monthsFrom(first: number, count: number): number[] {
  return Array.from({ length: count + 1 }, (_, at) => first + at);
}
