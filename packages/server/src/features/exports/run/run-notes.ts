import type { Context } from '#platform/context.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { noteRun, type ExportRun, type RunNotes } from '../store/export-store.ts';

/** How often a run writes down how far it is, in milliseconds, and sees that it was cancelled. */
const interval = 1000;

/** Why a run has to end: the export was cancelled, or another run has taken over. */
export class RunOver extends Error {
  override readonly name = 'RunOver';
}

/** What a run writes down while it goes on. Disposing it ends the regular notes. */
export interface Notes extends AsyncDisposable {
  /** Aborted with a {@link RunOver} when the run has to end. */
  readonly over: AbortSignal;
  /** Writes something down now; throws a {@link RunOver} when the run has to end. */
  write(notes: RunNotes): Promise<void>;
  /** Writes down what `notes` answers, every second from now on. */
  follow(notes: () => RunNotes): void;
}

/** Keeps the notes of a run. */
export function keepNotes({ db, log }: Pick<Context, 'db' | 'log'>, run: ExportRun): Notes {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();

  async function write(notes: RunNotes): Promise<void> {
    if (await noteRun(db, run, notes)) return;
    over.abort(new RunOver('the export was cancelled, or runs elsewhere'));
    throw over.signal.reason;
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
