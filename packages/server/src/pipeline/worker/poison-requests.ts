import type pg from 'pg';
import { isSuspected, type WaitingRequest } from '../operations/request-result.ts';
import { changeAttempts } from './batch-store.ts';
import { SharedLock } from './shared-lock.ts';

/** The turns of the batches in a process. */
export interface Turns {
  /**
   * True when a batch is written down before it is applied. Beside it nothing of the account may be read ahead, so that it alone is to blame
   * when the process ends.
   */
  isWatched(accountId: number, requests: readonly WaitingRequest[]): boolean;
  /** Applies a batch when its turn has come. */
  take<T>(accountId: number, requests: readonly WaitingRequest[], apply: () => Promise<T>): Promise<T>;
}

/**
 * Finds the request that ends every process that applies it, say because the memory does not suffice, and keeps its account and all others
 * waiting for ever.
 *
 * A process that is killed cannot say what it was doing, and to write that down before each batch would cost more than it is worth. So a
 * process writes it down for the first batch of each account: if that killed the process before, it does so again, and leaves notes. Requests
 * with a note are applied while nothing else is applied in the process, and are noted each time: those with one note in small batches,
 * because a first batch can have been large and perhaps a single request in it is to blame; those with more notes one by one. When three processes have ended over a
 * request alone, it is given up. Whatever killed them, it was not done at that moment for anybody else.
 *
 * A note goes when the request is applied, and is taken back when it fails while the process lives: a database that is away is not its fault.
 */
export function createTurns(pool: pg.Pool): Turns {
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
    apply: () => Promise<T>,
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
      const result = await apply();
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
    async take(accountId, requests, apply) {
      if (requests.some(isSuspected)) return lock.alone(() => watched(accountId, requests, apply));
      if (!isWatched(accountId, requests)) return lock.shared(apply);
      const result = await lock.shared(() => watched(accountId, requests, apply));
      served.add(accountId);
      return result;
    },
  };
}
