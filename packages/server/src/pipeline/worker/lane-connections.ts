import type pg from 'pg';
import { holdShard } from '#platform/database/layout/hold-shard.ts';
import { limitSilence } from '#platform/database/connection/silence-limit.ts';
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

// A node can respond and still not write: a shard moves, or the node waits for a standby that is
// lost. Other accounts must not wait for that.
const lockTimeout = 3000;
const silenceLimit = 10_000;

/**
 * Opens the connections of lanes whose contacts are on another server than their locks. They have
 * terms instead of the locks. A transaction on them fails when it waits for several seconds. Throws
 * `ShardMoved`.
 */
export async function connectionsWithTerms(pool: pg.Pool, lanes: Lanes): Promise<LaneConnections> {
  const first = await limitedConnection(pool);
  const seconds = new Map<pg.PoolClient, LimitedConnection>();
  try {
    const held = await beginTerms(first.client, lanes);
    // From now on, only this holder writes contacts. If the shard is here now, its table is not an old
    // one, so plans may be made from it.
    if (lanes.shardId !== undefined) await holdShard(first.client, lanes.shardId);
    return {
      lanes: held,
      first: first.client,
      async openSecond() {
        const second = await limitedConnection(pool).catch(() => undefined);
        if (second !== undefined) seconds.set(second.client, second);
        return second?.client;
      },
      async closeSecond(client, isBroken) {
        const second = seconds.get(client);
        seconds.delete(client);
        await second?.release(isBroken);
      },
      [Symbol.asyncDispose]: () => first.release(false),
    };
  } catch (error) {
    await first.release(true);
    throw error;
  }
}

/** A connection whose statements fail when they wait for several seconds. */
interface LimitedConnection {
  readonly client: pg.PoolClient;
  release(isBroken: boolean): Promise<void>;
}

async function limitedConnection(pool: pg.Pool): Promise<LimitedConnection> {
  const client = await pool.connect();
  const limit = limitSilence(client, silenceLimit);
  const release = async (isBroken: boolean): Promise<void> => {
    // A connection that is still in a transaction must not be used again.
    const isUsable =
      !isBroken &&
      (await client.query('rollback; reset lock_timeout').then(
        () => true,
        () => false,
      ));
    limit[Symbol.dispose]();
    client.release(!isUsable);
  };
  try {
    await client.query(`set lock_timeout = ${lockTimeout}`);
    return { client, release };
  } catch (error) {
    await release(true);
    throw error;
  }
}
