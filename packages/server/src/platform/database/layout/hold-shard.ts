import type pg from 'pg';

/** A shard is on another node now, or was split. Nothing was written. */
export class ShardMoved extends Error {
  override readonly name = 'ShardMoved';
  constructor() {
    super('the shard of the account has moved');
  }
}

/**
 * Keeps a shard on the node of the connection until the transaction ends, so that the transaction may
 * write the tables of the shard directly. Throws {@link ShardMoved} if the shard is not on this node:
 * the tables of a shard that has moved can still be there, and what is written to them is lost.
 *
 * Takes the lock that Citus takes for a write through the distributed table. A move or a split of the
 * shard waits for this transaction. This transaction waits for a move or a split that has begun, at
 * most for the `lock_timeout` of the connection.
 */
export async function holdShard(client: pg.ClientBase, id: number): Promise<void> {
  // Two statements in one message. The second one sees what was committed while the first one waited.
  const results = (await client.query(`
    select lock_shard_metadata(${shareLock}, array[${id}]::bigint[]);
    select exists (
      select from pg_dist_placement join pg_dist_local_group using (groupid) where shardid = ${id} and shardstate = 1
    ) as here`)) as unknown as pg.QueryResult<{ here: boolean }>[];
  if (!results[1]!.rows[0]!.here) throw new ShardMoved();
}

/** The number of SHARE in the lock modes of PostgreSQL. */
const shareLock = 5;
