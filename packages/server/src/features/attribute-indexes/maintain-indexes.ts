import pg from 'pg';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { withIndexBuilderLock } from './index-builder-lock.ts';
import {
  build,
  drop,
  gatherStatistics,
  loadBuilt,
  loadIndexRows,
  storeFailure,
  publishIndexes,
  withdrawIndexes,
} from './index-store.ts';
import { nextStep, type Step } from './next-step.ts';

/**
 * Builds the attribute indexes that operators asked for, and drops those that are not wanted
 * anymore.
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
      const { accountId, attributeId } = step.attribute;
      await storeFailure(context.db, step.attribute, context.now());
      context.log.error(
        { err: describeError(error), account_id: accountId, attribute_id: attributeId },
        'could not build the indexes of an attribute; will retry',
      );
    }
  }
}

/** True when the connection failed, and not only the statement. */
function isConnectionLost(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.severity === 'FATAL';
}

async function findStep({ db, now }: Context): Promise<Step | undefined> {
  const rows = await loadIndexRows(db);
  return nextStep(rows, await loadBuilt(db), now());
}

async function runStep(context: Context, db: Database, step: Step): Promise<void> {
  switch (step.kind) {
    case 'withdraw':
      return withdrawIndexes(db, step.row);
    case 'publish':
      return publishIndexes(db, step.attribute);
    case 'drop':
      return drop(db, step.built);
    case 'build': {
      const { attribute, definition, isLast } = step;
      const started = performance.now();
      // Gather before the last build. So if all definitions exist, the statistics exist, too.
      if (isLast) await gatherStatistics(db);
      await build(db, definition);
      const { accountId, attributeId } = attribute;
      context.log.info(
        {
          account_id: accountId,
          attribute_id: attributeId,
          definition: definition.name,
          ms: Math.round(performance.now() - started),
        },
        'built an index or statistics of an attribute',
      );
    }
  }
}
