import type { Logger } from 'pino';
import { describeError } from '#platform/database/connection/describe-error.ts';
import type { FinishedRequest, RequestKey } from './finished-store.ts';

// Milliseconds. An idle pipeline applies a request within some milliseconds. Each pause is longer
// than the one before, so a caller who has waited for long costs little.
const pauses = { first: 4, factor: 1.25, max: 100, afterError: 500 };

/** Requests that are due so soon are looked up together. In milliseconds. */
const together = 3;

/** Maximum number of requests in one look. */
const keysPerLook = 250;

/**
 * Tells when requests are finished. One statement looks for the requests of all callers who wait in
 * the process, and only one such statement runs at a time. So any number of waiting callers uses
 * one connection, and only during a look.
 */
export interface ResultWatch {
  /** Resolves when the request is finished; with undefined when the signal is aborted. */
  find(key: RequestKey, signal: AbortSignal): Promise<FinishedRequest | undefined>;
}

/** One waiting caller. */
interface Waiting {
  readonly key: RequestKey;
  readonly end: (result: FinishedRequest) => void;
  /** The time of the next look, as of `performance.now()`. */
  due: number;
  /** Milliseconds. */
  pause: number;
}

/** Makes the watch of a process. `look` returns those of the requests that are finished. */
export function createResultWatch(
  look: (keys: readonly RequestKey[]) => Promise<readonly FinishedRequest[]>,
  log: Pick<Logger, 'warn'>,
): ResultWatch {
  const all = new Set<Waiting>();
  let isLooking = false;
  let timer: NodeJS.Timeout | undefined;
  let timerDue = Infinity;

  /** Looks when the first request is due, unless a look is running: it schedules the next one. */
  function schedule(due: number): void {
    if (isLooking || due >= timerDue) return;
    clearTimeout(timer);
    timerDue = due;
    timer = setTimeout(() => void lookOnce(), Math.max(0, due - performance.now()));
  }

  async function lookOnce(): Promise<void> {
    isLooking = true;
    timerDue = Infinity;
    const now = performance.now();
    const due = [...all]
      .filter((one) => one.due <= now + together)
      .sort((a, b) => a.due - b.due)
      .slice(0, keysPerLook);
    const { found, pause } = due.length === 0 ? { found: [], pause: 0 } : await lookFor(due);
    const results = new Map(found.map((result) => [nameOf(result), result]));
    // With many callers, the pauses get longer: a process makes about 5,000 look-ups a second.
    const longest = Math.max(pauses.max, all.size / 5);
    const end = performance.now();
    for (const one of due) {
      const result = results.get(nameOf(one.key));
      if (result !== undefined) one.end(result);
      one.pause = Math.max(pause, Math.min(one.pause * pauses.factor, longest));
      one.due = end + one.pause;
    }
    isLooking = false;
    schedule(Math.min(...[...all].map((one) => one.due)));
  }

  async function lookFor(due: readonly Waiting[]): Promise<{ found: readonly FinishedRequest[]; pause: number }> {
    try {
      return { found: await look(due.map(({ key }) => key)), pause: 0 };
    } catch (error) {
      // The requests are stored, so the callers only wait longer.
      log.warn({ err: describeError(error) }, 'could not look for the results of requests');
      return { found: [], pause: pauses.afterError };
    }
  }

  return {
    find(key, signal) {
      const { promise, resolve } = Promise.withResolvers<FinishedRequest | undefined>();
      if (signal.aborted) return Promise.resolve(undefined);
      const leave = (): void => {
        all.delete(one);
        signal.removeEventListener('abort', giveUp);
      };
      const giveUp = (): void => {
        leave();
        resolve(undefined);
      };
      const one: Waiting = {
        key,
        due: performance.now() + pauses.first,
        pause: pauses.first,
        end(result) {
          leave();
          resolve(result);
        },
      };
      signal.addEventListener('abort', giveUp);
      all.add(one);
      schedule(one.due);
      return promise;
    },
  };
}

function nameOf({ accountId, requestId }: RequestKey): string {
  return `${accountId} ${requestId}`;
}
