import type { Context } from '#platform/context.ts';
import { borrowConnections } from '../connection/borrowed-connections.ts';
import type { Database } from '../connection/database.ts';

/**
 * Runs the queries of one answer on a replica that has everything committed until now, or on the
 * primary. They can run twice, so they must only read.
 */
export function readAnywhere<T>(
  { replicas, pool, db }: Pick<Context, 'replicas' | 'pool' | 'db'>,
  read: (db: Database) => Promise<T>,
): Promise<T> {
  return replicas.read(
    async ({ ready, ...server }) => {
      if (server.pool === pool) return read(db);
      await using connections = await borrowConnections({ ...server, second: () => undefined });
      await ready(connections.db);
      return await read(connections.db);
    },
    { primary: { pool, control: pool } },
  );
}
