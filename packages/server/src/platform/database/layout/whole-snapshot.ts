import pg from 'pg';
import { isLockTimeout } from '../connection/database.ts';
import { openConnection } from '../connection/open-connection.ts';
import { distributedTables } from './distributed-tables.ts';
import { readLayout } from './layout.ts';

// Writers wait for at most this time, and then continue before the next attempt.
const lockTimeoutSeconds = 5;
const attempts = 20;
const deadlockDetected = '40P01';

/**
 * Begins a read-only transaction of `client` in which all statements see the database at one moment:
 * on a cluster, on all its nodes. `url` is the database of the client.
 *
 * On a cluster, each node has a snapshot of its own. So all writers wait for a moment, until the
 * snapshots are taken. Throws when a transaction of another process takes very long.
 */
export async function beginWholeSnapshot(client: pg.ClientBase, url: string): Promise<void> {
  if ((await readLayout(client)) === 'single') {
    await client.query('begin isolation level repeatable read read only');
    return;
  }
  // Several connections to a node would have several snapshots.
  await client.query('set citus.max_adaptive_executor_pool_size = 1');
  const blocker = await openConnection(url, 'roster snapshot');
  try {
    await blockWriters(blocker);
    await client.query('begin isolation level repeatable read read only');
    // Takes the snapshot of the coordinator, and those of all nodes.
    await client.query('select count(*) from lane_terms');
  } finally {
    await blocker.end();
  }
}

/** Locks all distributed tables against writers until the connection ends. */
async function blockWriters(blocker: pg.ClientBase): Promise<void> {
  const tables = distributedTables.map((table) => pg.escapeIdentifier(table)).join(', ');
  // Only settings of a transaction reach the nodes.
  await blocker.query(`set citus.propagate_set_commands = 'local'`);
  for (let attempt = 1; ; attempt++) {
    await blocker.query(`begin; set local lock_timeout = '${lockTimeoutSeconds}s'`);
    try {
      await blocker.query(`lock table ${tables} in share row exclusive mode`);
      return;
    } catch (error) {
      await blocker.query('rollback');
      const isDeadlock = error instanceof pg.DatabaseError && error.code === deadlockDetected;
      if (attempt === attempts || !(isDeadlock || isLockTimeout(error))) throw error;
    }
  }
}
