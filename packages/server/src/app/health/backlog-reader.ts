import { within } from '#platform/loops/within.ts';

/** Milliseconds for which a result is cached. */
const maxAge = 1000;

/** Milliseconds that a caller waits for a result. Health checks expect a response within 3 s. */
const timeout = 2500;

/** Thrown if the database does not return the backlog within {@link timeout}. */
export class BacklogTimeout extends Error {
  override readonly name = 'BacklogTimeout';
}

/**
 * Creates a function that reads the backlog. All callers together query the database at most once a
 * second, and never run two queries at the same time. A call that takes longer than 2.5 s throws
 * {@link BacklogTimeout}.
 */
export function createBacklogReader<Backlog extends object>(
  read: () => Promise<Backlog>,
  clock: () => number = () => performance.now(),
): () => Promise<Backlog> {
  let reading: Promise<Backlog> | undefined;
  let isRunning = false;
  let startedAt = Number.NEGATIVE_INFINITY;

  function start(): Promise<Backlog> {
    isRunning = true;
    startedAt = clock();
    const started = read().finally(() => (isRunning = false));
    // All callers may have timed out when it fails. Without this, the rejection would be unhandled.
    started.catch(() => undefined);
    return started;
  }

  return async () => {
    if (reading === undefined || (!isRunning && clock() - startedAt >= maxAge)) reading = start();
    const left = isRunning ? Math.max(0, startedAt + timeout - clock()) : timeout;
    return within(left, reading, () => {
      throw new BacklogTimeout('the database does not respond');
    });
  };
}
