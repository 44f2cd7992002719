import { pause } from './pause.ts';

/** How {@link repeatUntilAborted} repeats a task. */
export interface Repetition {
  /** Ends the repetition when it is aborted. A run under way is awaited. */
  readonly signal: AbortSignal;
  /** Milliseconds from the end of a run that succeeded to the next run; default 0. */
  readonly interval?: number;
  /** Milliseconds from a failure to the next run. The pause doubles with each failure that follows. */
  readonly first: number;
  /** The longest pause after a failure in milliseconds; default `first`. */
  readonly most?: number;
  /** Told about each failure, and how many runs have failed in a row. */
  readonly onError: (error: unknown, failures: number) => void;
  /** False: the pauses do not keep the process alive. */
  readonly ref?: boolean;
}

/**
 * Runs a task again and again until the signal is aborted; after a failure too, with growing pauses.
 *
 * A task that runs for long calls `recovered` when it works again: a failure after that counts as the first.
 */
export async function repeatUntilAborted(
  task: (recovered: () => void) => Promise<unknown>,
  { signal, interval = 0, first, most = first, onError, ref = true }: Repetition,
): Promise<void> {
  let failures = 0;
  const recovered = (): void => {
    failures = 0;
  };
  while (!signal.aborted) {
    let wait = interval;
    try {
      await task(recovered);
      recovered();
    } catch (error) {
      failures++;
      onError(error, failures);
      wait = Math.min(first * 2 ** (failures - 1), most);
    }
    if (wait > 0) await pause(wait, { signal, ref });
  }
}
