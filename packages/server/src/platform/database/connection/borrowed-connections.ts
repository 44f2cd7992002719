import type { PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { cancelBackend } from './cancel-backend.ts';
import { databaseFrom, type Database } from './database.ts';
import { processIdOf } from './process-id.ts';

/** Connections that one task has borrowed from a pool. */
export interface BorrowedConnections extends AsyncDisposable {
  /** The query builder. Concurrent statements share one connection, unless there is a second. */
  readonly db: Database;
  /** Cancels the running statements. Further statements fail with the error. */
  cancel(error: unknown): void;
}

/** The source of borrowed connections. */
export interface Lender {
  readonly pool: pg.Pool;
  /** Sends cancellations, because all connections of {@link pool} may be busy. */
  readonly control: pg.Pool;
  /**
   * Asks for a second connection. Returns undefined when none is free; otherwise a function to call
   * when the connection is released.
   */
  readonly second: () => (() => void) | undefined;
}

/**
 * Borrows a connection for a task until it is disposed. Throws when no connection is free in time.
 *
 * Statements are cancelled with `pg_cancel_backend`. A connection is released only after the server
 * has responded to its cancellation, so that the cancellation cannot hit the next borrower.
 */
export async function borrowConnections({ pool, control, second }: Lender): Promise<BorrowedConnections> {
  const first = await pool.connect();
  let isFirstBroken = false;
  let failure: { readonly error: unknown } | undefined;
  const running = new Set<pg.PoolClient>();
  const cancellations: Promise<void>[] = [];
  // A late cancellation of these connections could hit the next borrower. They are closed instead.
  const unsafe = new Set<pg.PoolClient>();
  // Resolves when a statement ends. Then a waiting statement can have its connection.
  let statementEnded = Promise.withResolvers<void>();

  async function connect(): Promise<PostgresPoolClient> {
    for (;;) {
      if (failure !== undefined) throw failure.error;
      if (!running.has(first)) return lend(first, (discard) => (isFirstBroken ||= discard));
      const giveBack = second();
      if (giveBack !== undefined) return connectSecond(giveBack);
      await statementEnded.promise;
    }
  }

  async function connectSecond(giveBack: () => void): Promise<PostgresPoolClient> {
    try {
      const client = await pool.connect();
      return lend(client, (discard) => {
        void Promise.all(cancellations).then(() => {
          client.release(discard || unsafe.has(client));
          giveBack();
        });
      });
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  function lend(client: pg.PoolClient, release: (discard: boolean) => void): PostgresPoolClient {
    running.add(client);
    return {
      query: client.query.bind(client),
      release(discard?: boolean) {
        running.delete(client);
        release(discard === true);
        statementEnded.resolve();
        statementEnded = Promise.withResolvers();
      },
    };
  }

  function cancel(error: unknown): void {
    failure ??= { error };
    for (const client of running) cancellations.push(cancelIn(client));
  }

  async function cancelIn(client: pg.PoolClient): Promise<void> {
    if (!(await cancelBackend(control, processIdOf(client)))) unsafe.add(client);
  }

  return {
    db: databaseFrom(connect),
    cancel,
    async [Symbol.asyncDispose]() {
      // One of two statements failed, and the result of the other is not needed.
      if (running.size > 0) cancel(new Error('the task has ended'));
      while (running.size > 0) await statementEnded.promise;
      await Promise.all(cancellations);
      first.release(isFirstBroken || unsafe.has(first));
    },
  };
}
