import { once } from 'node:events';
import type pg from 'pg';
import { to as copyTo, type CopyToStreamQuery } from 'pg-copy-streams';
import { cancelBackend, processIdOf } from './cancel-backend.ts';
import { databaseOn, type Database } from './database.ts';

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
  const db = databaseOn(client);
  let copied: Promise<void> | undefined;
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
      const rows = client.query(copyTo(statement));
      // Whoever reads the rows sees their errors; what fails after the last row shows when the transaction ends.
      rows.on('error', () => undefined);
      copied = becomesReady(client);
      // Nobody waits for it when the copy fails.
      copied.catch(() => undefined);
      return rows;
    },
    async finish() {
      await copied;
      const { command } = await client.query('commit');
      if (command !== 'COMMIT') throw new Error('the server rolled back what it had sent');
      state = 'finished';
    },
    async [Symbol.asyncDispose]() {
      if (state === 'open') await client.query('rollback').catch(() => undefined);
      // The server notices a closed connection when it next sends something, which can be after a long sort.
      if (state === 'copying') await cancelBackend(pool, processIdOf(client));
      client.release(state === 'copying');
    },
  };
}

/** Resolves when the server is ready for the next statement: after the last row it has yet to say that there are no more. */
async function becomesReady(client: pg.PoolClient): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    // Rejects at an error of the connection, too.
    const ready = once(client, 'drain', { signal }).then(() => true);
    const ended = once(client, 'end', { signal }).then(() => false);
    if (!(await Promise.race([ready, ended]))) throw new Error('the connection ended before the server was ready');
  } finally {
    settled.abort();
  }
}
