import type { Context } from '#platform/context.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { second } from '#platform/time/intervals.ts';
import { RunOver, type Changes, type LongRun } from '#platform/long-runs/long-runs.ts';
import { exportRuns } from '../store/export-store.ts';

/** Stores the progress of a run. Disposing it stops the regular saves. */
export interface RunProgress extends AsyncDisposable {
  /** Aborted with a {@link RunOver} when the run must end. */
  readonly over: AbortSignal;
  /** Saves changes now. Throws a {@link RunOver} when the run must end. */
  save(changes: Changes<'exports'>): Promise<void>;
  /** Saves what `changes` returns, every second from now on. */
  saveEverySecond(changes: () => Changes<'exports'>): void;
}

/** Creates the progress of a run. */
export function createRunProgress({ db, log }: Pick<Context, 'db' | 'log'>, run: LongRun): RunProgress {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();

  async function save(changes: Changes<'exports'>): Promise<void> {
    try {
      await exportRuns.note(db, run, changes);
    } catch (error) {
      if (error instanceof RunOver) over.abort(error);
      throw error;
    }
  }

  return {
    over: over.signal,
    save,
    saveEverySecond(changes) {
      timer = setInterval(() => {
        // A failed save does not matter, because the next one stores newer values.
        last = save(changes()).catch((error: unknown) => {
          if (!over.signal.aborted) {
            log.warn({ export: run.id, err: describeError(error) }, 'could not store the progress of an export');
          }
        });
      }, second);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await last;
    },
  };
}
