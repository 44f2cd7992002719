import type pg from 'pg';
import { isSuspected, type WaitingRequest } from '../operations/request-result.ts';
import { changeAttempts } from './batch-store.ts';
import { SharedLock } from './shared-lock.ts';

/** Watches the batches of a process for requests that end it. */
export interface PoisonGuard {
  /**
   * True when a batch is noted before it is applied. Nothing of the account may be read ahead
   * meanwhile: then only the batch can be to blame when the process ends.
   */
  isWatched(accountId: number, requests: readonly WaitingRequest[]): boolean;
  /** Applies a batch; one that is suspected waits until the process applies nothing else. */
  apply<T>(accountId: number, requests: readonly WaitingRequest[], work: () => Promise<T>): Promise<T>;
}

/**
 * Finds a request that ends every process that applies it, for example because it needs too much
 * memory. Without this, such a request would keep all accounts waiting for ever.
 *
 * A process that is killed cannot say what it was doing. Noting every batch before it is applied
 * would be too slow. So:
 *
 * 1. A process notes the first batch of each account. If a later batch killed the last process, the
 *    next process reads it first, notes it, and dies with a note left behind.
 * 2. A request with a note is suspected. It is applied while the process applies nothing else, and
 *    noted each time. Requests with one note are applied in small batches, because probably only
 *    one request of a large first batch is to blame. Requests with more notes are applied one by
 *    one.
 * 3. A request that has killed three processes while it was applied by itself is given up
 *    ({@link isGivenUp}).
 *
 * A note is deleted with its request, and taken back when applying fails but the process lives: the
 * request is not to blame for a database that is away.
 */
export function createPoisonGuard(pool: pg.Pool): PoisonGuard {
  const lock = new SharedLock();
  const served = new Set<number>();
  /** What this process has noted and could not take back; it must not count twice. */
  const noted = new Set<number>();

  function isWatched(accountId: number, requests: readonly WaitingRequest[]): boolean {
    return requests.some(isSuspected) || !served.has(accountId);
  }

  async function watched<T>(
    accountId: number,
    requests: readonly WaitingRequest[],
    work: () => Promise<T>,
  ): Promise<T> {
    const seqs = requests.map(({ seq }) => seq);
    await changeAttempts(
      pool,
      accountId,
      seqs.filter((seq) => !noted.has(seq)),
      1,
    );
    for (const seq of seqs) noted.add(seq);
    try {
      const result = await work();
      for (const seq of seqs) noted.delete(seq);
      return result;
    } catch (error) {
      const forget = (): void => seqs.forEach((seq) => noted.delete(seq));
      await changeAttempts(pool, accountId, seqs, -1).then(forget, () => undefined);
      throw error;
    }
  }

  return {
    isWatched,
    async apply(accountId, requests, work) {
      if (requests.some(isSuspected)) return lock.alone(() => watched(accountId, requests, work));
      if (!isWatched(accountId, requests)) return lock.shared(work);
      const result = await lock.shared(() => watched(accountId, requests, work));
      served.add(accountId);
      return result;
    },
  };
}
