import { borrowConnections } from '#platform/database/connection/borrowed-connections.ts';
import type { AccountServers } from '#platform/database/layout/account-servers.ts';
import type { ReadReplicas, ReadServer } from '#platform/database/replicas/read-replicas.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { createFairGate, type FairGate } from '#platform/load/fair-gate.ts';
import { enterGate, refuseIfFull } from '#platform/load/enter-gate.ts';

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
  /**
   * Throws `too_many_searches` or `overloaded` if {@link run} would throw it at once. Call it before
   * the search reads anything. Otherwise refused searches take connections from other accounts.
   */
  refuseIfFull(accountId: number): Promise<void>;
  /** Number of connections in use. */
  readonly running: number;
  /** Number of searches that wait for their turn. */
  readonly waiting: number;
}

/** Options of {@link createSearchQueue}. */
export interface SearchQueueOptions {
  /** Sends searches to replicas. */
  readonly replicas: Pick<ReadReplicas, 'read'>;
  /** The connections for searches to the servers of the accounts. */
  readonly servers: Pick<AccountServers, 'of'>;
  /** Other connections to the same servers, to cancel searches. */
  readonly control: Pick<AccountServers, 'of'>;
  /** Called when a search begins to wait for its turn. Default: nothing. */
  readonly onWait?: () => void;
  /** Maximum number of connections to a server. */
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
export function createSearchQueue(options: SearchQueueOptions): SearchQueue {
  const { replicas, servers, control, onWait, size, perAccount, timeout } = options;
  /** By the name of the server. The nodes of a cluster have connections of their own. */
  const gates = new Map<string, FairGate<number>>();

  function gateOf(server: string): FairGate<number> {
    let gate = gates.get(server);
    if (gate === undefined) {
      gate = createFairGate<number>({
        total: size,
        perKey: Math.min(size, perAccount ?? Math.ceil(size / 3)),
        waitingPerKey: waitingPerAccount,
        timeout: maxWait,
      });
      gates.set(server, gate);
    }
    return gate;
  }

  const sumOf = (count: 'inside' | 'waiting'): number => gates.values().reduce((sum, gate) => sum + gate[count], 0);

  return {
    async refuseIfFull(accountId) {
      const { name } = await servers.of(accountId);
      refuseIfFull(gateOf(name), accountId, 'too_many_searches');
    },
    async run(accountId, signal, search) {
      const [{ pool, name }, others] = await Promise.all([servers.of(accountId), control.of(accountId)]);
      const gate = gateOf(name);
      onWait?.();
      const leave = await enterGate(gate, accountId, 'too_many_searches', signal);
      const tooSlow = new AbortController();
      const timer = setTimeout(
        () => tooSlow.abort(new ApiError('search_timeout', { params: { seconds: timeout / 1000 } })),
        timeout,
      );
      const ending = signal === undefined ? tooSlow.signal : AbortSignal.any([signal, tooSlow.signal]);
      const searchOn = async ({ ready, ...server }: ReadServer): Promise<Awaited<ReturnType<typeof search>>> => {
        await using connections = await borrowConnections({ ...server, second: () => gate.tryEnter(accountId) });
        const cancel = (): void => connections.cancel(ending.reason);
        ending.addEventListener('abort', cancel);
        if (ending.aborted) cancel();
        try {
          await ready(connections.db);
          return await search(connections.db);
        } catch (error) {
          ending.throwIfAborted();
          throw error;
        } finally {
          ending.removeEventListener('abort', cancel);
        }
      };
      try {
        return await replicas.read(searchOn, { primary: { pool, control: others.pool }, signal: ending });
      } finally {
        clearTimeout(timer);
        leave();
      }
    },
    get running() {
      return sumOf('inside');
    },
    get waiting() {
      return sumOf('waiting');
    },
  };
}
