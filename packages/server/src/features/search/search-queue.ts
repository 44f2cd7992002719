import type pg from 'pg';
import { borrowConnections } from '#platform/database/connection/borrowed-connections.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { createFairGate } from '#platform/load/fair-gate.ts';
import { waitForTurn } from '#platform/load/wait-for-turn.ts';

declare module '#platform/context.ts' {
  interface Context {
    /** Hands the connections for searches to the accounts in turn. */
    readonly searches: SearchQueue;
  }
}

/** Gives searches their connections, so that no account takes them from the others. */
export interface SearchQueue {
  /**
   * Runs a search of an account when it is its turn. When the signal is aborted, the search is cancelled in the database too.
   *
   * Throws an {@link ApiError}: `too_many_searches` or `overloaded` when there was no turn in time, `search_timeout` for what came to
   * nothing within the time of a search; or the reason of the signal.
   */
  run<T>(accountId: number, signal: AbortSignal | undefined, search: (db: Database) => Promise<T>): Promise<T>;
  /** Number of connections in use. */
  readonly running: number;
  /** Number of searches that wait for their turn. */
  readonly waiting: number;
}

/** What {@link createSearchQueue} is made of. */
export interface SearchQueueOptions {
  /** The connections for searches. */
  readonly pool: pg.Pool;
  /** Other connections, for cancelling. */
  readonly control: pg.Pool;
  /** Most connections of `pool`. */
  readonly size: number;
  /** Most searches of one account at the same time; default: a third of them all. */
  readonly perAccount: number | undefined;
  /** Milliseconds that a search may take, once it has its turn. */
  readonly timeout: number;
}

// Long enough for a burst of what takes milliseconds; a search that has to wait longer stands behind some that take their full time.
const patience = 5000;
// Each holds its body. A client that has more than this waiting is better told to slow down.
const waitingPerAccount = 100;

/** Makes the turns of one process. */
export function createSearchQueue({ pool, control, size, perAccount, timeout }: SearchQueueOptions): SearchQueue {
  const gate = createFairGate<number>({
    total: size,
    perKey: Math.min(size, perAccount ?? Math.ceil(size / 3)),
    waitingPerKey: waitingPerAccount,
    patience,
  });

  return {
    async run(accountId, signal, search) {
      const leave = await waitForTurn(gate, accountId, 'too_many_searches', signal);
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
