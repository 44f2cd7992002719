import pg from 'pg';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { asIndexBuilder } from './index-builder.ts';
import {
  build,
  drop,
  gatherStatistics,
  loadBuilt,
  loadIndexRows,
  noteFailure,
  publishIndexes,
  withdrawIndexes,
} from './index-store.ts';
import { nextStep, type Step } from './next-step.ts';

/**
 * Builds the indexes on values of attributes that operators asked for, and drops those that nobody wants any more.
 *
 * What there is stands in the catalogue of the database alone, so whatever was interrupted, by a stop or a kill, is found and put right. One
 * worker at a time, on a connection of its own: indexes are built beside reading and writing, and take minutes.
 * Aborting `signal` cancels the statement under way.
 */
export async function keepIndexes(context: Context, signal: AbortSignal): Promise<void> {
  if ((await findStep(context)) === undefined) return;
  await asIndexBuilder(context, signal, (db) => takeSteps(context, db, signal));
}

async function takeSteps(context: Context, db: Database, signal: AbortSignal): Promise<void> {
  for (let step = await findStep(context); step !== undefined && !signal.aborted; step = await findStep(context)) {
    try {
      await take(context, db, step);
    } catch (error) {
      if (signal.aborted) return;
      if (step.kind !== 'build' || isConnectionLost(error)) throw error;
      const { accountId, attributeId } = step.attribute;
      await noteFailure(context.db, step.attribute, context.now());
      context.log.error(
        { err: describeError(error), account_id: accountId, attribute_id: attributeId },
        'the indexes of an attribute could not be built; it is tried again',
      );
    }
  }
}

/** True when the server ended the connection, or was not heard of any more; other failures are those of the statement. */
function isConnectionLost(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.severity === 'FATAL';
}

async function findStep({ db, now }: Context): Promise<Step | undefined> {
  const rows = await loadIndexRows(db);
  return nextStep(rows, await loadBuilt(db), now());
}

async function take(context: Context, db: Database, step: Step): Promise<void> {
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
      // Before the last one: when all are there, the statistics have been gathered, whatever was interrupted when.
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
        'built for the values of an attribute',
      );
    }
  }
}
