import type { Context } from '#platform/context.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import type { JobRun } from '#platform/jobs/job-table.ts';
import { RunOver, type Changes, type LongRun, type LongRunKey, type LongRuns, type RunRow } from './long-runs.ts';

/** What a kind of long work does in its job. */
export interface RunSteps<Table extends keyof Tables, Failure extends Error> {
  /** What the beginning of a run changes in its row, beyond its number. */
  readonly begin: Changes<Table>;
  /** Does the work and ends it. Rejects with a {@link RunOver} when the run has to end. */
  work(row: RunRow<Table>, run: LongRun): Promise<void>;
  /** Does what work that has ended leaves to do, whoever ended it. Doing it again changes nothing. */
  settle(): Promise<void>;
  /** Does what a run leaves to do that something else has ended. */
  over(): Promise<void>;
  /** The failure that an error means for good; undefined when trying again can help. */
  finalFailure(error: unknown): Failure | undefined;
  /** Ends the work as failed; `failure` is undefined when the last attempt failed for another reason. */
  fail(run: LongRun, failure: Failure | undefined, error: unknown): Promise<void>;
}

/**
 * Runs the job of long work: begins a run, and does the work or, when it has ended before, what is left to do.
 *
 * Only the newest run can write and end the work. So a worker that is killed, or comes back from the dead, does nothing twice.
 */
export async function runLongJob<Table extends keyof Tables, Failure extends Error>(
  { db, now }: Pick<Context, 'db' | 'now'>,
  runs: LongRuns<Table>,
  key: LongRunKey,
  { signal, attempt, maxAttempts }: Pick<JobRun, 'signal' | 'attempt' | 'maxAttempts'>,
  steps: RunSteps<Table, Failure>,
): Promise<void> {
  const row = await runs.begin(db, key, now(), steps.begin);
  if (row === undefined) return steps.settle();
  const run: LongRun = { ...key, run: (row as { readonly run: number }).run };
  try {
    await steps.work(row, run);
  } catch (error) {
    if (error instanceof RunOver) return steps.over();
    // A stop: the next process goes on.
    signal.throwIfAborted();
    if ((await runs.findRunning(db, run)) === undefined) return steps.over();
    const failure = steps.finalFailure(error);
    if (failure === undefined && attempt < maxAttempts) throw error;
    await steps.fail(run, failure, error);
    await steps.settle();
  }
}
