import { once } from 'node:events';
import type pg from 'pg';
import { to as copyTo, type CopyToStreamQuery } from 'pg-copy-streams';
import { cancelBackend } from './cancel-backend.ts';
import { databaseOn, type Database } from './database.ts';
import { processIdOf } from './process-id.ts';

/** A snapshot of the database, on a connection of its own. Disposing it releases the connection. */
export interface Snapshot extends AsyncDisposable {
  /** For queries in the snapshot. Run them one after the other, and before the copy. */
  readonly db: Database;
  /** Runs queries under a savepoint that is rolled back, such as EXPLAIN (`plannedRows`). */
  undone<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** Sends a `copy … to stdout` in the snapshot; at most once. */
  copyOut(statement: string): CopyToStreamQuery;
  /** Ends the transaction after the copy was read. Rejects if the server did not send all rows. */
  finish(): Promise<void>;
}

/** The server of a snapshot, such as a `ReadServer`. */
export interface SnapshotSource {
  readonly pool: pg.Pool;
  /** Called on the connection before the transaction begins. Default: nothing. */
  readonly ready?: (db: Database) => Promise<void>;
}

/** Opens a snapshot: a read-only transaction in which all statements see the same data. */
export async function openSnapshot({ pool, ready }: SnapshotSource): Promise<Snapshot> {
  const client = await pool.connect();
  const db = databaseOn(client);
  let copied: Promise<void> | undefined;
  let state: 'open' | 'copying' | 'finished' = 'open';
  try {
    await ready?.(db);
    await client.query('begin isolation level repeatable read read only');
  } catch (error) {
    client.release(true);
    throw error;
  }
  return {
    db,
    async undone(work) {
      await client.query('savepoint undone');
      const result = await work(db);
      await client.query('rollback to savepoint undone');
      return result;
    },
    copyOut(statement) {
      state = 'copying';
      const rows = client.query(copyTo(statement));
      // The reader of the rows gets their errors. Later errors show when the transaction ends.
      rows.on('error', () => undefined);
      copied = becomesReady(client);
      // If the copy fails, this promise is never awaited.
      copied.catch(() => undefined);
      return rows;
    },
    async finish() {
      await copied;
      const { command } = await client.query('commit');
      if (command !== 'COMMIT') throw new Error('the server rolled back the transaction of the copy');
      state = 'finished';
    },
    async [Symbol.asyncDispose]() {
      if (state === 'open') await client.query('rollback').catch(() => undefined);
      // The server notices a closed connection only when it sends, which can be after a long sort.
      if (state === 'copying') await cancelBackend(pool, processIdOf(client));
      client.release(state === 'copying');
    },
  };
}

/**
 * Resolves when the server is ready for the next statement. After the last row, the server must
 * still confirm that there are no more.
 */
async function becomesReady(client: pg.PoolClient): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    // `once` also rejects when the connection fails.
    const ready = once(client, 'drain', { signal }).then(() => true);
    const ended = once(client, 'end', { signal }).then(() => false);
    if (!(await Promise.race([ready, ended]))) throw new Error('the connection ended before the server was ready');
  } finally {
    settled.abort();
  }
}
