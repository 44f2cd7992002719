import type pg from 'pg';

/** Runs a task in a transaction on a connection of the pool. If the task rejects, nothing is stored. */
export async function inTransaction<T>(pool: pg.Pool, task: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    const result = await task(client);
    await client.query('commit');
    broken = false;
    return result;
  } finally {
    // Closing the connection ends its transaction.
    client.release(broken);
  }
}
