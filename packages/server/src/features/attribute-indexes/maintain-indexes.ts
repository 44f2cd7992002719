import pg from 'pg';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { withIndexBuilderLock } from './index-builder-lock.ts';
import { assignSlot, changeSlot } from '#features/registry/slots/slot-store.ts';
import { lockLane } from '#pipeline/queue/lane.ts';
import {
  build,
  drop,
  gatherStatistics,
  loadSituation,
  storeFailure,
  publishIndexes,
  withdrawIndexes,
} from './index-store.ts';
import { nextStep, type Step } from './next-step.ts';

/**
 * Gives slots to the attributes that operators want indexed and builds the indexes of the slots.
 * Releases slots and drops indexes that are not wanted anymore. Sweeps fill and clear the slots.
 *
 * Compares the wanted indexes with the PostgreSQL catalogue in each step, so that the work
 * continues after a stop or a kill. Only one worker does this at a time. It does not block reading
 * or writing. Aborting `signal` cancels the running statement.
 */
export async function maintainIndexes(context: Context, signal: AbortSignal): Promise<void> {
  if ((await findStep(context)) === undefined) return;
  await withIndexBuilderLock(context, signal, (db) => runSteps(context, db, signal));
}

async function runSteps(context: Context, db: Database, signal: AbortSignal): Promise<void> {
  for (let step = await findStep(context); step !== undefined && !signal.aborted; step = await findStep(context)) {
    try {
      await runStep(context, db, step);
    } catch (error) {
      if (signal.aborted) return;
      if (step.kind !== 'build' || isConnectionLost(error)) throw error;
      await storeFailure(context.db, step.attributes, context.now());
      context.log.error(
        { err: describeError(error), definition: step.definition.name },
        'could not build an index of attributes; will retry',
      );
    }
  }
}

/** True when the connection failed, and not only the statement. */
function isConnectionLost(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.severity === 'FATAL';
}

async function findStep(context: Context): Promise<Step | undefined> {
  return nextStep(await loadSituation(context), context.now());
}

async function runStep(context: Context, db: Database, step: Step): Promise<void> {
  const at = context.now();
  switch (step.kind) {
    case 'withdraw':
      return withdrawIndexes(db, step.row);
    case 'release':
      return changeSlot(db, step.slot, 'released', at);
    case 'keep':
      return changeSlot(db, step.slot, 'filling', at);
    case 'assign':
      // Later batches write the slot, and no batch is under way.
      return withLane(db, step.attribute.accountId, (trx) =>
        assignSlot(trx, { ...step.attribute, slot: step.slot }, at),
      );
    case 'clear':
      return withLane(db, step.slot.account_id, (trx) => changeSlot(trx, step.slot, 'clearing', at));
    case 'publish':
      return publishIndexes(db, step.attribute);
    case 'drop':
      return drop(db, step.built);
    case 'build': {
      const { definition, slot, isLast } = step;
      const started = performance.now();
      // Gather before the last build. So if all definitions exist, the statistics exist, too.
      if (isLast) await gatherStatistics(db, slot);
      await build(db, definition);
      const ms = Math.round(performance.now() - started);
      context.log.info({ definition: definition.name, ms }, 'built an index or statistics of attributes');
    }
  }
}

/** Runs a task in a transaction that holds the lane of an account. */
async function withLane(db: Database, accountId: number, task: (trx: Database) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockLane(trx, accountId);
    await task(trx);
  });
}
