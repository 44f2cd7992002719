import { minute } from '#platform/time/intervals.ts';
import { pause } from './pause.ts';

/** How {@link repeatUntilAborted} repeats a task. */
export interface Repetition {
  /** Ends the repetition when it is aborted. The current run is awaited. */
  readonly signal: AbortSignal;
  /** Milliseconds from the end of a successful run to the next run; default 0. */
  readonly interval?: number;
  /** Milliseconds from a failure to the next run. The pause doubles with each further failure. */
  readonly first: number;
  /** The longest pause after a failure in milliseconds; default `first`. */
  readonly max?: number;
  /** Called for each failure, with the number of failures in a row. */
  readonly onError: (error: unknown, failures: number) => void;
  /** With false, the pauses do not keep the process alive. */
  readonly ref?: boolean;
}

/**
 * Runs a task again and again until the signal is aborted. After a failure, it pauses for longer
 * each time.
 *
 * A long-running task calls `recovered` when it works again. Then the next failure counts as the
 * first.
 */
export async function repeatUntilAborted(
  task: (recovered: () => void) => Promise<unknown>,
  { signal, interval = 0, first, max = first, onError, ref = true }: Repetition,
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
      wait = Math.min(first * 2 ** (failures - 1), max);
    }
    if (wait > 0) await pause(wait, { signal, ref });
  }
}

/**
 * Tells whether a failure gets a line in the log: the first one in a row, and then about one a
 * minute. An outage can last for hours. `pauseAfter`: milliseconds between two failures.
 */
export function isWorthALine(failures: number, pauseAfter: number): boolean {
  return (failures - 1) % Math.ceil(minute / pauseAfter) === 0;
}
