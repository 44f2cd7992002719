import type pg from 'pg';
import { borrowConnections } from '#platform/database/connection/borrowed-connections.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { createFairGate } from '#platform/load/fair-gate.ts';
import { enterGate } from '#platform/load/enter-gate.ts';

declare module '#platform/context.ts' {
  interface Context {
    /** Gives the connections for searches to the accounts in turn. */
    readonly searches: SearchQueue;
  }
}

/** Gives connections to searches in a fair order, so that no account can take all of them. */
export interface SearchQueue {
  /**
   * Waits for the turn of the account, then runs a search. Aborting the signal also cancels the
   * search in the database. Throws the reason of the signal, or an {@link ApiError}:
   * - `too_many_searches` or `overloaded` when the turn did not come in time.
   * - `search_timeout` when the search took too long.
   */
  run<T>(accountId: number, signal: AbortSignal | undefined, search: (db: Database) => Promise<T>): Promise<T>;
  /** Number of connections in use. */
  readonly running: number;
  /** Number of searches that wait for their turn. */
  readonly waiting: number;
}

/** Options of {@link createSearchQueue}. */
export interface SearchQueueOptions {
  /** The connections for searches. */
  readonly pool: pg.Pool;
  /** Other connections, to cancel searches. */
  readonly control: pg.Pool;
  /** Maximum number of connections in `pool`. */
  readonly size: number;
  /** Maximum number of searches of one account at a time. Default: a third of `size`. */
  readonly perAccount: number | undefined;
  /** Milliseconds that a search may take after its turn has come. */
  readonly timeout: number;
}

// Milliseconds. Enough for a burst of fast searches. Only slow searches cause a longer wait.
const maxWait = 5000;
// Each waiting search keeps its body in memory.
const waitingPerAccount = 100;

/** Makes the search queue of a process. */
export function createSearchQueue({ pool, control, size, perAccount, timeout }: SearchQueueOptions): SearchQueue {
  const gate = createFairGate<number>({
    total: size,
    perKey: Math.min(size, perAccount ?? Math.ceil(size / 3)),
    waitingPerKey: waitingPerAccount,
    timeout: maxWait,
  });

  return {
    async run(accountId, signal, search) {
      const leave = await enterGate(gate, accountId, 'too_many_searches', signal);
      try {
        await using connections = await borrowConnections({ pool, control, second: () => gate.tryEnter(accountId) });
        const cancel = (): void => connections.cancel(signal?.reason);
        signal?.addEventListener('abort', cancel);
        if (signal?.aborted === true) cancel();
        const timer = setTimeout(
          () => connections.cancel(new ApiError('search_timeout', { params: { seconds: timeout / 1000 } })),
          timeout,
        );
        try {
          return await search(connections.db);
        } catch (error) {
          signal?.throwIfAborted();
          throw error;
        } finally {
          clearTimeout(timer);
          signal?.removeEventListener('abort', cancel);
        }
      } finally {
        leave();
      }
    },
    get running() {
      return gate.inside;
    },
    get waiting() {
      return gate.waiting;
    },
  };
}
