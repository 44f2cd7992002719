import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { to as copyTo, type CopyToStreamQuery } from 'pg-copy-streams';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

/** One moment of the database, on a connection of its own. Disposing it ends the connection's work, also in the middle of a copy. */
export interface Snapshot extends AsyncDisposable {
  /** For queries that see the moment, one after the other and before the copy. */
  readonly db: Database;
  /** Sends a `copy … to stdout`, which sees the moment too; at most once. */
  copyOut(statement: string): CopyToStreamQuery;
  /** Ends the transaction after the copy was read to its end; rejects when the server does not say that all of it was sent. */
  finish(): Promise<void>;
}

/** Opens a snapshot: a transaction that reads only, in which all statements see what the first one sees. */
export async function openSnapshot(pool: pg.Pool): Promise<Snapshot> {
  const client = await pool.connect();
  const processId = (client as pg.PoolClient & { readonly processID?: number }).processID;
  const db = databaseOn(client);
  let state: 'open' | 'copying' | 'finished' = 'open';
  try {
    await client.query('begin isolation level repeatable read read only');
  } catch (error) {
    client.release(true);
    throw error;
  }
  return {
    db,
    copyOut(statement) {
      state = 'copying';
      return client.query(copyTo(statement));
    },
    async finish() {
      await client.query('commit');
      state = 'finished';
    },
    async [Symbol.asyncDispose]() {
      if (state === 'open') await client.query('rollback').catch(() => undefined);
      // The server notices a closed connection when it next sends something, which can be after a long sort.
      if (state === 'copying') await pool.query('select pg_cancel_backend($1)', [processId]).catch(() => undefined);
      client.release(state === 'copying');
    },
  };
}

/** The query builder on one connection, which it leaves open. */
function databaseOn(client: pg.PoolClient): Database {
  const pool = {
    connect: async () => ({ query: client.query.bind(client), release: () => undefined }),
    end: async () => undefined,
  };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as unknown as pg.Pool }) });
}
