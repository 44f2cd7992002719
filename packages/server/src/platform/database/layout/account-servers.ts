import type pg from 'pg';
import type { Database } from '../connection/database.ts';

/** A server with the rows of accounts. */
export interface AccountServer {
  readonly pool: pg.Pool;
  /** The query builder on {@link pool}. */
  readonly db: Database;
  /** Identifies the server in messages and metrics, such as `10.0.0.7:5432`. */
  readonly name: string;
}

/** A server with the names of its tables of waiting requests. A node of a cluster has several. */
export interface ServerWithQueues extends AccountServer {
  /** The URL of the database on this server. */
  readonly url: string;
  readonly queues: readonly string[];
  /** True while the server cannot be reached. The only server of an installation is never down. */
  readonly isDown: boolean;
}

/**
 * Finds the server with the rows of an account.
 *
 * On a single server, that is always this server. On a cluster, it is the node of the account. The
 * answer can be out of date for some seconds after the account moved. A statement then still has the
 * right result, because every node of a cluster forwards what it does not have.
 */
export interface AccountServers extends AsyncDisposable {
  /**
   * Returns the server of an account. Throws `NodeDown` when it cannot be reached, and another error
   * when the coordinator does not say where the account is.
   */
  of(accountId: number): Promise<AccountServer>;
  /** Returns all servers that have accounts. */
  all(): Promise<readonly ServerWithQueues[]>;
  /** True while a server cannot be reached. */
  readonly anyDown: boolean;
  /**
   * Closes a connection to the coordinator that is used for an account when the server of the account
   * goes down, until the result is disposed. Throws like {@link of}.
   */
  endWithServer(accountId: number, client: pg.ClientBase): Promise<Disposable>;
}

/** Makes the account servers of a single server. */
export function oneServer(server: AccountServer, url: string): AccountServers {
  return {
    of: async () => server,
    all: async () => [{ ...server, url, queues: ['request_queue'], isDown: false }],
    anyDown: false,
    endWithServer: async () => ({ [Symbol.dispose]: () => undefined }),
    // The pool belongs to the caller.
    async [Symbol.asyncDispose]() {},
  };
}
