import type { Context } from '#platform/context.ts';
import { isServerAway } from '#platform/database/layout/server-away.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { JobMustWait, type JobRun } from '#platform/jobs/job-table.ts';
import { RunOver, type Changes, type LongRun, type LongRunKey, type LongRuns, type RunRow } from './long-runs.ts';

/** The steps of one kind of long work in its job. */
export interface RunSteps<Table extends keyof Tables, Failure extends Error> {
  /** Further changes to the row when a run begins. */
  readonly begin: Changes<Table>;
  /** Does the work and ends it. Rejects with a {@link RunOver} when the run must end. */
  work(row: RunRow<Table>, run: LongRun): Promise<void>;
  /** Cleans up after work that has ended, however it ended. Repeating it changes nothing. */
  settle(): Promise<void>;
  /** Cleans up after a run that was cancelled or replaced. */
  over(): Promise<void>;
  /** Returns the final failure for an error; undefined when another attempt can succeed. */
  finalFailure(error: unknown): Failure | undefined;
  /** Ends the work as failed. Without a `failure`, the attempts are exhausted. */
  fail(run: LongRun, failure: Failure | undefined, error: unknown): Promise<void>;
}

/**
 * Runs the job of long work: begins a run and does the work. If the work has already ended, the job
 * only cleans up.
 *
 * Only the newest run can write and end the work. So a worker that was killed or was suspended
 * cannot do anything twice.
 *
 * Throws `JobMustWait` if the account has a run in this process already, while other accounts wait.
 */
export async function runLongJob<Table extends keyof Tables, Failure extends Error>(
  { db, now }: Pick<Context, 'db' | 'now'>,
  runs: LongRuns<Table>,
  key: LongRunKey,
  { signal, attempt, maxAttempts }: Pick<JobRun, 'signal' | 'attempt' | 'maxAttempts'>,
  steps: RunSteps<Table, Failure>,
): Promise<void> {
  using _ = await takeTurn(db, runs, key.accountId);
  const row = await runs.begin(db, key, now(), steps.begin);
  if (row === undefined) return steps.settle();
  const run: LongRun = { ...key, run: (row as { readonly run: number }).run };
  try {
    await steps.work(row, run);
  } catch (error) {
    if (error instanceof RunOver) return steps.over();
    // The process stops: the next process continues the work.
    signal.throwIfAborted();
    if (isServerAway(error)) throw error;
    if ((await runs.findRunning(db, run)) === undefined) return steps.over();
    const failure = steps.finalFailure(error);
    if (failure === undefined && attempt < maxAttempts) throw error;
    await steps.fail(run, failure, error);
    await steps.settle();
  }
}

/** The number of runs in a process, by kind and account. */
const running = new WeakMap<Database, Map<string, number>>();

/** Counts a run of an account until it is disposed. Throws `JobMustWait` if others come first. */
async function takeTurn<Table extends keyof Tables>(
  db: Database,
  runs: LongRuns<Table>,
  accountId: number,
): Promise<Disposable> {
  const counts = running.get(db) ?? new Map<string, number>();
  running.set(db, counts);
  const name = `${runs.kind.name} ${accountId}`;
  const count = (): number => counts.get(name) ?? 0;
  if (runs.kind.isFair === true && count() > 0 && (await runs.othersWait(db, accountId))) {
    throw new JobMustWait('other accounts come first');
  }
  counts.set(name, count() + 1);
  return {
    [Symbol.dispose]() {
      if (count() === 1) counts.delete(name);
      else counts.set(name, count() - 1);
    },
  };
}
