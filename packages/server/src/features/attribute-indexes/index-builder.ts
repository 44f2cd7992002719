import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#platform/context.ts';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import { cancelBackend } from '#platform/database/connection/cancel-backend.ts';
import { databaseOn, type Database } from '#platform/database/connection/database.ts';
import { openConnection } from '#platform/database/connection/open-connection.ts';

// Building waits for the transactions that are open, however long they take, and leaves the processors to the pipeline and to searches.
const settings = 'set statement_timeout = 0; set lock_timeout = 0; set max_parallel_maintenance_workers = 0';

/**
 * Runs a task on a connection of its own while no other worker builds, rebuilds or drops indexes of contacts; not at all while one does.
 *
 * Building takes minutes, and two builds on one table wait for each other. Aborting `signal` cancels the statement under way.
 */
export async function asIndexBuilder(
  context: Context,
  signal: AbortSignal,
  task: (db: Database) => Promise<void>,
): Promise<void> {
  if (!(await isUnattended(context.db))) return;
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

/** Cancels what a connection does once the signal is aborted, again and again: between two statements there is nothing to cancel. */
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

/** False while another worker is at it. Asked before a connection is opened, because building takes long and this is asked often. */
async function isUnattended(db: Database): Promise<boolean> {
  const row = await db
    .selectNoFrom((eb) =>
      eb.fn<boolean>('pg_try_advisory_xact_lock', [eb.val(advisoryLocks.indexBuilder), eb.val(0)]).as('free'),
    )
    .executeTakeFirstOrThrow();
  return row.free;
}
