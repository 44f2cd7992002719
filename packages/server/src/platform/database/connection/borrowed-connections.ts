import type { PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { cancelBackend, processIdOf } from './cancel-backend.ts';
import { databaseFrom, type Database } from './database.ts';

/** Connections that one piece of work has borrowed from a pool. */
export interface BorrowedConnections extends AsyncDisposable {
  /** The query builder on them. Statements that run side by side share one connection unless a second one can be had. */
  readonly db: Database;
  /** Cancels what runs in them, and lets no further statement begin: it fails with the error. */
  cancel(error: unknown): void;
}

/** Where connections come from. */
export interface Lender {
  readonly pool: pg.Pool;
  /** Sends cancellations, from outside the connections that may all be busy. */
  readonly control: pg.Pool;
  /** Asks for a second connection; undefined when there is none to spare, else called when it is given back. */
  readonly second: () => (() => void) | undefined;
}

/**
 * Borrows a connection for a piece of work, until it is disposed. Throws when the pool has none in time.
 *
 * A statement is cancelled by `pg_cancel_backend`, and no connection is given back before that was answered: it cannot hit the next borrower.
 */
export async function borrowConnections({ pool, control, second }: Lender): Promise<BorrowedConnections> {
  const first = await pool.connect();
  let isFirstBroken = false;
  let failure: { readonly error: unknown } | undefined;
  const running = new Set<pg.PoolClient>();
  const cancellations: Promise<void>[] = [];
  // A cancellation of these may still come, and would hit the next borrower.
  const unsafe = new Set<pg.PoolClient>();
  // Whoever waits for a connection, or for the end of all statements, is told when one is over.
  let over = Promise.withResolvers<void>();

  async function connect(): Promise<PostgresPoolClient> {
    for (;;) {
      if (failure !== undefined) throw failure.error;
      if (!running.has(first)) return lend(first, (discard) => (isFirstBroken ||= discard));
      const giveBack = second();
      if (giveBack !== undefined) return connectSecond(giveBack);
      await over.promise;
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
        over.resolve();
        over = Promise.withResolvers();
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
      // One of two statements failed, and nobody waits for the other any more.
      if (running.size > 0) cancel(new Error('the work is over'));
      while (running.size > 0) await over.promise;
      await Promise.all(cancellations);
      first.release(isFirstBroken || unsafe.has(first));
    },
  };
}
