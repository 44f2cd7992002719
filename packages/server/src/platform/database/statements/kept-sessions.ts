import type pg from 'pg';
import { processIdStatement } from '../connection/process-id.ts';

/** What is wrong when connections do not keep their sessions, and what to do. */
export const lostSessions = {
  message:
    'A connection pooler between Roster and the database gives a connection another session after each transaction. Locks and LISTEN need a session that stays.',
  advice: 'Set pool_mode = session in the pooler, or connect to the server directly.',
};

// A pooler with many clients can give a connection the same session several times by chance.
const asks = 10;

/**
 * Returns false when a connection pooler in transaction or statement mode shares the sessions of the
 * server between connections. Needs two connections of the pool.
 */
export async function keepsSessions(pool: pg.Pool): Promise<boolean> {
  const connections = [await pool.connect()];
  try {
    const [first, second] = [connections[0]!, await pool.connect()];
    connections.push(second);
    const session = async (client: pg.PoolClient) =>
      (await client.query<{ id: number }>(processIdStatement)).rows[0]!.id;
    const ids = new Set<number>();
    for (let asked = 0; asked < asks; asked++) ids.add(await session(first));
    const other = await session(second);
    return ids.size === 1 && !ids.has(other);
  } finally {
    for (const client of connections) client.release();
  }
}
