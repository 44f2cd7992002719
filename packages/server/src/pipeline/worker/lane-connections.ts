import type pg from 'pg';
import { beginTerm, leaveLane, shareLane, type Lane } from '../queue/lane.ts';

/** The connections that write the batches of a lane. */
export interface LaneConnections extends AsyncDisposable {
  /** The lane as the writers know it: on a cluster, with its term. */
  readonly lane: Lane;
  readonly first: pg.PoolClient;
  /** Opens a second connection. Returns undefined if none is free, or another process waits for the lane. */
  openSecond(): Promise<pg.PoolClient | undefined>;
  /** Closes the second connection. `isBroken`: a batch on it failed. */
  closeSecond(second: pg.PoolClient, isBroken: boolean): Promise<void>;
}

/**
 * The connections of a lane whose contacts are on the server of its lock. `holder` has the lock, and
 * the second connection shares it. So the lane is free only when both have left it.
 */
export function connectionsWithLock(pool: pg.Pool, holder: pg.PoolClient, lane: Lane): LaneConnections {
  return {
    lane,
    first: holder,
    async openSecond() {
      const second = await pool.connect().catch(() => undefined);
      if (second === undefined) return undefined;
      // Ignore errors here: if the connection or the database is broken, the next statement fails.
      if (await shareLane(holder, second, lane).catch(() => false)) return second;
      // Close the connection: it may hold the lock even if the call failed.
      second.release(true);
      return undefined;
    },
    async closeSecond(second, isBroken) {
      const hasLeft =
        !isBroken &&
        (await leaveLane(second, lane).then(
          () => true,
          () => false,
        ));
      // A broken connection may still hold the lane. Closing it frees the lane.
      second.release(!hasLeft);
    },
    // The caller releases the holder.
    async [Symbol.asyncDispose]() {},
  };
}

/**
 * Opens the connections of a lane whose contacts are on another server than its lock. They have a
 * term instead of the lock.
 */
export async function connectionsWithTerm(pool: pg.Pool, lane: Lane): Promise<LaneConnections> {
  const first = await pool.connect();
  let isEnded = false;
  const release = (isBroken: boolean): void => {
    if (!isEnded) first.release(isBroken);
    isEnded = true;
  };
  try {
    const term = await beginTerm(first, lane);
    return {
      lane: { ...lane, term },
      first,
      openSecond: () => pool.connect().catch(() => undefined),
      closeSecond: async (second, isBroken) => second.release(isBroken),
      async [Symbol.asyncDispose]() {
        // A connection that is still in a transaction must not be used again.
        const isUsable = await first.query('rollback').then(
          () => true,
          () => false,
        );
        release(!isUsable);
      },
    };
  } catch (error) {
    release(true);
    throw error;
  }
}
