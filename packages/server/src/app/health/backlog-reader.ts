import type { Backlog } from '#pipeline/log/backlog-store.ts';

/** Milliseconds for which a reading is used. */
const maxAge = 1000;

/** Milliseconds that a caller waits for a reading. Health checks expect a response within 3 s. */
const patience = 2500;

/** The database did not say within {@link patience} what waits. */
export class NoReading extends Error {
  override readonly name = 'NoReading';
}

/**
 * Makes a reader of the backlog that asks the database at most once a second, and never twice at the same time, however many callers there
 * are. A call takes 2.5 s at most; beyond that it throws {@link NoReading}.
 */
export function createBacklogReader(
  read: () => Promise<Backlog>,
  clock: () => number = () => performance.now(),
): () => Promise<Backlog> {
  let reading: Promise<Backlog> | undefined;
  let isUnderWay = false;
  let startedAt = Number.NEGATIVE_INFINITY;

  function start(): Promise<Backlog> {
    isUnderWay = true;
    startedAt = clock();
    const started = read().finally(() => (isUnderWay = false));
    // Nobody may be waiting when it fails.
    started.catch(() => undefined);
    return started;
  }

  return async () => {
    if (reading === undefined || (!isUnderWay && clock() - startedAt >= maxAge)) reading = start();
    const left = isUnderWay ? Math.max(0, startedAt + patience - clock()) : patience;
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => timeout.reject(new NoReading('the database does not respond')), left);
    try {
      return await Promise.race([reading, timeout.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}
