import type pg from 'pg';
import type { Database } from '../connection/database.ts';

/** A server with the rows of accounts. */
export interface AccountServer {
  readonly pool: pg.Pool;
  /** The query builder on {@link pool}. */
  readonly db: Database;
  /** Identifies the server in messages and metrics, such as `10.0.0.7:5432`. */
  readonly name: string;
  /** The URL of the database on this server. */
  readonly url: string;
  /** True while the server cannot be reached. The only server of an installation is never down. */
  readonly isDown: boolean;
}

/**
 * The tables with the rows of some accounts: those of a single server, or one shard of each table of
 * a cluster. The shards of an account are together.
 */
export interface Shard {
  /** The identifier of the shard of contacts. Undefined on a single server. */
  readonly id: number | undefined;
  readonly server: AccountServer;
  /** Returns the names of tables in this shard. Statements with them run on {@link server}. */
  tables<Table extends string>(tables: readonly Table[]): Promise<Readonly<Record<Table, string>>>;
}

/**
 * Finds the server with the rows of an account.
 *
 * On a single server, that is always this server. On a cluster, it is the node of the account. The
 * answer can be out of date for some seconds after the account moved. A statement with the usual
 * names then still has the right result, because every node of a cluster forwards what it does not
 * have. A statement with the names of a {@link Shard} can then miss new rows.
 */
export interface AccountServers extends AsyncDisposable {
  /**
   * Returns the server of an account. Throws `NodeDown` when it cannot be reached, and another error
   * when the coordinator does not say where the account is.
   */
  of(accountId: number): Promise<AccountServer>;
  /** Returns the shard of an account. */
  shardOf(accountId: number): Promise<Shard>;
  /** Returns all shards, with the rows of all accounts. */
  shards(): Promise<readonly Shard[]>;
  /** Forgets where accounts and tables are, after a statement with their names has failed. */
  forget(): void;
  /** True while a server cannot be reached. */
  readonly anyDown: boolean;
  /**
   * Closes a connection to the coordinator that is used for an account when the server of the account
   * goes down, until the result is disposed. Throws like {@link of}.
   */
  endWithServer(accountId: number, client: pg.ClientBase): Promise<Disposable>;
}

/** Makes the account servers of a single server. */
export function oneServer(only: Omit<AccountServer, 'isDown'>): AccountServers {
  const server = { ...only, isDown: false };
  const shard: Shard = {
    id: undefined,
    server,
    tables: async (tables) =>
      Object.fromEntries(tables.map((table) => [table, table])) as unknown as Record<(typeof tables)[number], string>,
  };
  return {
    of: async () => server,
    shardOf: async () => shard,
    shards: async () => [shard],
    forget: () => undefined,
    anyDown: false,
    endWithServer: async () => ({ [Symbol.dispose]: () => undefined }),
    // The pool belongs to the caller.
    async [Symbol.asyncDispose]() {},
  };
}
