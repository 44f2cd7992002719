import type pg from 'pg';
import { isSuspected, type WaitingRequest } from '../operations/waiting-request.ts';
import { changeAttempts } from './batch-store.ts';
import { SharedLock } from './shared-lock.ts';

/** Watches the batches of a process for requests that kill the process. */
export interface PoisonGuard {
  /**
   * True when attempts to apply the batch are noted: it is the first batch of the account in this
   * process, or it has suspected requests. Read nothing of the account ahead then, so that only
   * this batch can be the cause when the process is killed.
   */
  isWatched(accountId: number, requests: readonly WaitingRequest[]): boolean;
  /** Applies a batch. A suspected batch runs while the process applies nothing else. */
  apply<T>(accountId: number, requests: readonly WaitingRequest[], work: () => Promise<T>): Promise<T>;
}

/**
 * Finds requests that kill every process that applies them, for example because they need too much
 * memory. Without this, one such request would block all accounts for ever.
 *
 * A killed process cannot say which request it was applying. To note every batch before it is
 * applied would be too slow. So:
 *
 * 1. A process notes its first batch of each account. If a later batch killed the last process, the
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
export function createPoisonGuard(pool: pg.Pool): PoisonGuard {
  const lock = new SharedLock();
  const served = new Set<number>();
  /** Notes of this process that it could not take back. They must not count twice. */
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
      if (requests.some(isSuspected)) return lock.exclusive(() => watched(accountId, requests, work));
      if (!isWatched(accountId, requests)) return lock.shared(work);
      const result = await lock.shared(() => watched(accountId, requests, work));
      served.add(accountId);
      return result;
    },
  };
}
