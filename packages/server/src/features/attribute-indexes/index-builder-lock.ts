import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#platform/context.ts';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import { cancelBackend } from '#platform/database/connection/cancel-backend.ts';
import { databaseOn, type Database } from '#platform/database/connection/database.ts';
import { openConnection } from '#platform/database/connection/open-connection.ts';

// Building waits for open transactions, however long they take, so it must not time out. Without
// parallel workers, it leaves CPU time to the pipeline and to searches.
const settings = 'set statement_timeout = 0; set lock_timeout = 0; set max_parallel_maintenance_workers = 0';

/**
 * Runs a task on its own connection, with the lock for building, rebuilding and dropping indexes of
 * contacts. Does nothing if another worker holds the lock: builds take minutes, and two builds on
 * one table would wait for each other. Aborting `signal` cancels the running statement.
 */
export async function withIndexBuilderLock(
  context: Context,
  signal: AbortSignal,
  task: (db: Database) => Promise<void>,
): Promise<void> {
  if (!(await isLockFree(context.db))) return;
  const client = await openConnection(context.config.databaseUrl!, 'roster indexes', 5000);
  try {
    await client.query(settings);
    const { rows } = await client.query<{ taken: boolean; pid: number }>(
      'select pg_try_advisory_lock($1, 0) as taken, pg_backend_pid() as pid',
      [advisoryLocks.indexBuilder],
    );
    if (!rows[0]!.taken) return;
    await using _cancelling = cancelWhenAborted(context, rows[0]!.pid, signal);
    await task(databaseOn(client));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Cancels the statements of a connection after the signal is aborted. Repeats that every 100 ms,
 * because a cancel has no effect between two statements.
 */
function cancelWhenAborted({ pool }: Context, pid: number, signal: AbortSignal): AsyncDisposable {
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
