import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Context } from '../context.ts';
import { advisoryLocks } from '../db/advisory-locks.ts';
import { databaseOn, type Database } from '../db/database.ts';
import { describeError } from '../observability/describe-error.ts';
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
  if ((await findStep(context)) === undefined || !(await isUnattended(context.db))) return;
  const client = new pg.Client({
    connectionString: context.config.databaseUrl!,
    application_name: 'roster indexes',
    keepAlive: true,
    connectionTimeoutMillis: 5000,
  });
  // Without a listener, losing the connection would end the process; the statement under way fails anyway.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(settings);
    const { rows } = await client.query<{ taken: boolean; pid: number }>(
      'select pg_try_advisory_lock($1, 0) as taken, pg_backend_pid() as pid',
      [advisoryLocks.indexBuilder],
    );
    if (!rows[0]!.taken) return;
    await using _cancelling = cancelWhenAborted(context, rows[0]!.pid, signal);
    await takeSteps(context, databaseOn(client), signal);
  } finally {
    await client.end().catch(() => undefined);
  }
}

// Building waits for the transactions that are open, however long they take, and leaves the processors to the pipeline and to searches.
const settings = 'set statement_timeout = 0; set lock_timeout = 0; set max_parallel_maintenance_workers = 0';

/** Cancels what a connection does once the signal is aborted, again and again: between two statements there is nothing to cancel. */
function cancelWhenAborted({ pool }: Context, pid: number, signal: AbortSignal): AsyncDisposable {
  const over = new AbortController();
  const cancelling = (async () => {
    await once(signal, 'abort', { signal: over.signal });
    while (!over.signal.aborted) {
      await pool.query('select pg_cancel_backend($1)', [pid]).catch(() => undefined);
      await sleep(100, undefined, { signal: over.signal });
    }
  })().catch(() => undefined);
  return {
    async [Symbol.asyncDispose]() {
      over.abort();
      await cancelling;
    },
  };
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

/** False while another worker is at it. Asked before a connection is opened, because building takes long and this is asked often. */
async function isUnattended(db: Database): Promise<boolean> {
  const row = await db
    .selectNoFrom((eb) =>
      eb.fn<boolean>('pg_try_advisory_xact_lock', [eb.val(advisoryLocks.indexBuilder), eb.val(0)]).as('free'),
    )
    .executeTakeFirstOrThrow();
  return row.free;
}
