import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { lockLane } from '#pipeline/log/lane.ts';
import { accountsWithMoves, endMoves, moveRows, movesOf, nextMoves } from './move-store.ts';
import { listPartitions } from '../store/partition-store.ts';

// A transaction: short enough that the pipeline of the account hardly waits for its lane.
const keysPerStep = 200;
const rowsPerStep = 2000;
// After each step this many times its duration is left to the pipeline and to queries.
const restAfterStep = 2;

/**
 * Moves the activities of contacts that have another identity, and deletes those of deleted contacts, in small steps that each hold the
 * lane of the account only shortly. What is done and what is left is in the database, so an interrupted step is done again.
 */
export async function moveActivities(context: Context, signal: AbortSignal): Promise<void> {
  for (const accountId of await accountsWithMoves(context.db)) {
    await inSteps(context, accountId, signal, (trx) => nextMoves(trx, accountId, keysPerStep));
  }
}

/** Does all moves from or to the given keys, in the same small steps; throws when the signal is aborted before they are done. */
export async function finishMoves(
  context: Context,
  accountId: number,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await inSteps(context, accountId, signal, (trx) => movesOf(trx, accountId, keys));
  signal.throwIfAborted();
}

async function inSteps(
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
    const rest = (performance.now() - started) * restAfterStep;
    await sleep(rest, undefined, { signal }).catch(() => undefined);
  }
}

/** True when activities of the account are on their way from one key to another; nearly always there are none. */
export async function hasMoves(db: Database, accountId: number): Promise<boolean> {
  return (await nextMoves(db, accountId, 1)).length > 0;
}

/**
 * Does all moves from or to the given keys, before activities of these keys are written or compared with what is stored: a key that is on its way
 * must have no other activities than those that go along. The lane of the account must be held.
 */
export async function settleMoves(trx: Database, accountId: number, keys: () => Iterable<string>): Promise<void> {
  if (!(await hasMoves(trx, accountId))) return;
  const moving = await movesOf(trx, accountId, keys());
  for (let isDone = moving.length === 0; !isDone;) isDone = await moveStep(trx, accountId, moving);
}

/** Moves at most {@link rowsPerStep} activities of some keys; true when these moves are done and forgotten. */
async function moveStep(trx: Database, accountId: number, keys: readonly string[]): Promise<boolean> {
  let left = rowsPerStep;
  for (const { name } of await listPartitions(trx)) {
    left -= await moveRows(trx, accountId, keys, name, left);
    if (left <= 0) return false;
  }
  await endMoves(trx, accountId, keys);
  return true;
}
