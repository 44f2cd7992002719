import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { pause } from '#platform/loops/pause.ts';
import { lockLane } from '#pipeline/queue/lane.ts';
import { accountsWithMoves, endMoves, moveRows, movesOf, nextMoves } from './move-store.ts';
import { addActivityCounts, countsOf, timeZoneOf } from '../counts/activity-count-store.ts';
import { listPartitions } from '../store/partition-store.ts';

// Limits of one transaction. They keep it short, because the pipeline waits for the lane meanwhile.
const keysPerStep = 200;
const rowsPerStep = 2000;
// Pause after a step, as a multiple of its duration. It leaves time to the pipeline and queries.
const pauseFactor = 2;

/**
 * Executes pending moves: moves the activities of contacts with a new identity, and deletes the
 * activities of deleted contacts. Each step is a short transaction that holds the lane of the
 * account. An interrupted step is repeated.
 */
export async function moveActivities(context: Context, signal: AbortSignal): Promise<void> {
  for (const accountId of await accountsWithMoves(context)) {
    await moveInSteps(context, accountId, signal, (trx) => nextMoves(trx, accountId, keysPerStep));
  }
}

/**
 * Executes all moves from or to the given keys, in short transactions. Throws if the signal is
 * aborted first.
 */
export async function finishMoves(
  context: Context,
  accountId: number,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await moveInSteps(context, accountId, signal, (trx) => movesOf(trx, accountId, keys));
  signal.throwIfAborted();
}

async function moveInSteps(
  { db }: Pick<Context, 'db'>,
  accountId: number,
  signal: AbortSignal,
  next: (trx: Database) => Promise<readonly string[]>,
): Promise<void> {
  for (let isLeft = true; isLeft && !signal.aborted;) {
    const started = performance.now();
    isLeft = await db.transaction().execute(async (trx) => {
      await lockLane(trx, accountId);
      const keys = await next(trx);
      if (keys.length > 0) await moveStep(trx, accountId, keys);
      return keys.length > 0;
    });
    await pause((performance.now() - started) * pauseFactor, { signal });
  }
}

/** True when the account has pending moves, which is rare. */
export async function hasMoves(db: Database, accountId: number): Promise<boolean> {
  return (await nextMoves(db, accountId, 1)).length > 0;
}

/**
 * Executes all moves from or to the given keys in this transaction. Call it before you write or
 * search activities of these keys. Otherwise a pending move would also move the new activities. The
 * caller must hold the lane of the account.
 */
export async function finishMovesInTransaction(
  trx: Database,
  accountId: number,
  keys: () => Iterable<string>,
): Promise<void> {
  if (!(await hasMoves(trx, accountId))) return;
  const moving = await movesOf(trx, accountId, keys());
  for (let isDone = moving.length === 0; !isDone;) isDone = await moveStep(trx, accountId, moving);
}

/** Moves at most {@link rowsPerStep} activities of some keys; true when none is left. */
async function moveStep(trx: Database, accountId: number, keys: readonly string[]): Promise<boolean> {
  let left = rowsPerStep;
  const timeZone = await timeZoneOf(trx, accountId);
  for (const partition of await listPartitions(trx)) {
    const { rows, deleted } = await moveRows(trx, accountId, keys, partition, timeZone, left);
    await addActivityCounts(trx, accountId, { counts: countsOf(partition.month, timeZone, deleted, -1) });
    left -= rows;
    if (left <= 0) return false;
  }
  await endMoves(trx, accountId, keys);
  return true;
}
