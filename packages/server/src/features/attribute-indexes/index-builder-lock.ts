import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Context } from '#platform/context.ts';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import { cancelBackend } from '#platform/database/connection/cancel-backend.ts';
import { databaseOn, setUp, type Database } from '#platform/database/connection/database.ts';
import { openConnection } from '#platform/database/connection/open-connection.ts';
import { processIdOf } from '#platform/database/connection/process-id.ts';
import type { AccountServer } from '#platform/database/layout/account-servers.ts';
import { showShards } from '#platform/database/layout/show-shards.ts';

// Without parallel workers, building leaves CPU time to the pipeline and to searches.
const settings = 'set max_parallel_maintenance_workers = 0;';

/** Runs a task on the server of some shards, on its own connection. Shards are in the catalogue there. */
export type OnServer = <T>(server: AccountServer, task: (db: Database) => Promise<T>) => Promise<T>;

/**
 * Runs a task on its own connection, with the lock for building, rebuilding and dropping indexes of
 * contacts. Does nothing if another worker holds the lock: builds take minutes, and two builds on
 * one table would wait for each other. Aborting `signal` cancels the running statement; if it was
 * aborted before, nothing is done.
 */
export async function withIndexBuilderLock(
  context: Context,
  signal: AbortSignal,
  task: (db: Database, onServer: OnServer) => Promise<void>,
): Promise<void> {
  if (signal.aborted || !(await isLockFree(context.db))) return;
  const url = context.config.databaseUrl!;
  await withConnection(url, context.pool, signal, async (client) => {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, 0) as taken', [
      advisoryLocks.indexBuilder,
    ]);
    if (!rows[0]!.taken) return;
    const db = databaseOn(client);
    await task(db, async (server, own) => {
      if (server.url === url) return own(db);
      return withConnection(server.url, server.pool, signal, async (node) => {
        await showShards(node);
        return own(databaseOn(node));
      });
    });
  });
}

/** Opens a connection for a task. `pool` has connections to the same server. */
async function withConnection<T>(
  url: string,
  pool: pg.Pool,
  signal: AbortSignal,
  task: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await openConnection(url, 'roster indexes', 5000);
  try {
    await setUp(client, settings);
    await using _cancelling = cancelWhenAborted(pool, processIdOf(client), signal);
    return await task(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Cancels the statements of a connection after the signal is aborted. Repeats that every 100 ms,
 * because a cancel has no effect between two statements.
 */
function cancelWhenAborted(pool: pg.Pool, pid: number | undefined, signal: AbortSignal): AsyncDisposable {
  const over = new AbortController();
  const cancelling = (async () => {
    if (!signal.aborted) await once(signal, 'abort', { signal: over.signal });
    while (!over.signal.aborted) {
      await cancelBackend(pool, pid);
      await sleep(100, undefined, { signal: over.signal });
    }
  })().catch(() => undefined);
  return {
    async [Symbol.asyncDispose]() {
      over.abort();
      await cancelling;
    },
  };
}

/** False while another worker holds the lock. This saves opening a connection for nothing. */
async function isLockFree(db: Database): Promise<boolean> {
  const row = await db
    .selectNoFrom((eb) =>
      eb.fn<boolean>('pg_try_advisory_xact_lock', [eb.val(advisoryLocks.indexBuilder), eb.val(0)]).as('free'),
    )
    .executeTakeFirstOrThrow();
  return row.free;
}
