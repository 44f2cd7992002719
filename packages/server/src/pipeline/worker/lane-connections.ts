import type pg from 'pg';
import { beginTerms, leaveLanes, shareLanes, type Lanes } from '../queue/lane.ts';

/** The connections that write the batches of lanes. */
export interface LaneConnections extends AsyncDisposable {
  /** The lanes as the writers know them: on a cluster, with their terms. */
  readonly lanes: Lanes;
  readonly first: pg.PoolClient;
  /** Opens a second connection. Returns undefined if none is free, or another process waits for one of the lanes. */
  openSecond(): Promise<pg.PoolClient | undefined>;
  /** Closes the second connection. `isBroken`: a batch on it failed. */
  closeSecond(second: pg.PoolClient, isBroken: boolean): Promise<void>;
}

/**
 * The connections of lanes whose contacts are on the server of their locks. `holder` has the locks,
 * and the second connection shares them. So the lanes are free only when both have left them.
 */
export function connectionsWithLock(pool: pg.Pool, holder: pg.PoolClient, lanes: Lanes): LaneConnections {
  return {
    lanes,
    first: holder,
    async openSecond() {
      const second = await pool.connect().catch(() => undefined);
      if (second === undefined) return undefined;
      // Ignore errors here: if the connection or the database is broken, the next statement fails.
      if (await shareLanes(holder, second, lanes).catch(() => false)) return second;
      // Close the connection: it may hold locks even if the call failed.
      second.release(true);
      return undefined;
    },
    async closeSecond(second, isBroken) {
      const hasLeft =
        !isBroken &&
        (await leaveLanes(second, lanes).then(
          () => true,
          () => false,
        ));
      // A broken connection may still hold the lanes. Closing it frees them.
      second.release(!hasLeft);
    },
    // The caller releases the holder.
    async [Symbol.asyncDispose]() {},
  };
}

/**
 * Opens the connections of lanes whose contacts are on another server than their locks. They have
 * terms instead of the locks.
 */
export async function connectionsWithTerms(pool: pg.Pool, lanes: Lanes): Promise<LaneConnections> {
  const first = await pool.connect();
  let isEnded = false;
  const release = (isBroken: boolean): void => {
    if (!isEnded) first.release(isBroken);
    isEnded = true;
  };
  try {
    return {
      lanes: await beginTerms(first, lanes),
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
