import type pg from 'pg';
import { isSuspected, type WaitingRequest } from '../operations/waiting-request.ts';
import { changeAttempts } from '../queue/batch-store.ts';
import { laneName, type Lanes } from '../queue/lane.ts';
import { SharedLock } from './shared-lock.ts';

/** Watches the batches of a process for requests that kill the process. */
export interface PoisonGuard {
  /**
   * True when attempts to apply the batch are noted: it is the first batch of one of its lanes in this
   * process, or it has suspected requests. Read nothing of the lanes ahead then, so that only
   * this batch can be the cause when the process is killed.
   */
  isWatched(lanes: Lanes, requests: readonly WaitingRequest[]): boolean;
  /**
   * Applies a batch. A suspected batch runs while the process applies nothing else. `pool` is of the
   * server with the queue.
   */
  apply<T>(pool: pg.Pool, lanes: Lanes, requests: readonly WaitingRequest[], work: () => Promise<T>): Promise<T>;
}

/**
 * Finds requests that kill every process that applies them, for example because they need too much
 * memory. Without this, one such request would block all accounts for ever.
 *
 * A killed process cannot say which request it was applying. To note every batch before it is
 * applied would be too slow. So:
 *
 * 1. A process notes its first batch of each lane. If a later batch killed the last process, the
 *    next process reads that batch first, notes it, and is killed. The note remains.
 * 2. A request with a note is suspected. It is applied while the process applies nothing else, and
 *    each attempt is noted. Requests with one note are applied in small batches, because probably
 *    only one request of a large first batch is the cause. Requests with more notes are applied one
 *    by one.
 * 3. A request that killed three processes while it was applied alone is given up
 *    ({@link isGivenUp}).
 *
 * A note is deleted with its request. It is taken back when the attempt fails and the process
 * lives, because then the cause is another one, such as an unreachable database.
 */
export function createPoisonGuard(): PoisonGuard {
  const lock = new SharedLock();
  const served = new Set<string>();
  /** Notes of this process that it could not take back. They must not count twice. */
  const noted = new Set<string>();

  function isWatched(lanes: Lanes, requests: readonly WaitingRequest[]): boolean {
    return requests.some((request) => isSuspected(request) || !served.has(nameOf(lanes, request)));
  }

  async function watched<T>(
    pool: pg.Pool,
    lanes: Lanes,
    requests: readonly WaitingRequest[],
    work: () => Promise<T>,
  ): Promise<T> {
    const names = requests.map(({ seq, part }) => `${seq}/${part}`);
    await changeAttempts(
      pool,
      lanes,
      requests.filter((_, at) => !noted.has(names[at]!)),
      1,
    );
    for (const name of names) noted.add(name);
    try {
      const result = await work();
      for (const name of names) noted.delete(name);
      return result;
    } catch (error) {
      const forget = (): void => names.forEach((name) => noted.delete(name));
      await changeAttempts(pool, lanes, requests, -1).then(forget, () => undefined);
      throw error;
    }
  }

  return {
    isWatched,
    async apply(pool, lanes, requests, work) {
      if (requests.some(isSuspected)) return lock.exclusive(() => watched(pool, lanes, requests, work));
      if (!isWatched(lanes, requests)) return lock.shared(work);
      const result = await lock.shared(() => watched(pool, lanes, requests, work));
      for (const request of requests) served.add(nameOf(lanes, request));
      return result;
    },
  };
}

/** Returns the name of the lane in which a request waits. */
function nameOf({ accountId }: Lanes, { lane: number }: WaitingRequest): string {
  return laneName({ accountId, number });
}
