import type { Context } from '#platform/context.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { RunOver, type Changes, type LongRun } from '#platform/long-runs/long-runs.ts';
import { exportRuns } from '../store/export-store.ts';

/** How often a run writes down how far it is, in milliseconds, and sees that it was cancelled. */
const interval = 1000;

/** What a run writes down while it goes on. */
type RunNotes = Changes<'exports'>;

/** The notes of a run. Disposing them ends the regular notes. */
export interface Notes extends AsyncDisposable {
  /** Aborted with a {@link RunOver} when the run has to end. */
  readonly over: AbortSignal;
  /** Writes something down now; throws a {@link RunOver} when the run has to end. */
  write(notes: RunNotes): Promise<void>;
  /** Writes down what `notes` answers, every second from now on. */
  follow(notes: () => RunNotes): void;
}

/** Keeps the notes of a run. */
export function keepNotes({ db, log }: Pick<Context, 'db' | 'log'>, run: LongRun): Notes {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();

  async function write(notes: RunNotes): Promise<void> {
    try {
      await exportRuns.note(db, run, notes);
    } catch (error) {
      if (error instanceof RunOver) over.abort(error);
      throw error;
    }
  }

  return {
    over: over.signal,
    write,
    follow(notes) {
      timer = setInterval(() => {
        // A note that is lost is made up for by the next; the end of the run is what counts.
        last = write(notes()).catch((error: unknown) => {
          if (!over.signal.aborted) log.warn({ err: describeError(error) }, 'the progress of an export was not noted');
        });
      }, interval);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await last;
    },
  };
}
