import type pg from 'pg';

/** The names of the tables of shards on their nodes. */
export interface ShardNames {
  /**
   * Returns the name of a table in the shard whose first hash value is `range`. Throws when the table
   * has no such shard.
   */
  find(table: string, range: string): Promise<string>;
  /** Forgets all names. The next look-ups ask the coordinator. */
  forget(): void;
}

/** Reads the names of the tables of shards from the coordinator, once for each table. */
export function createShardNames(coordinator: pg.Pool): ShardNames {
  /** By table, then by the first hash value of the shard. */
  const names = new Map<string, Promise<ReadonlyMap<string, string>>>();

  async function findIn(own: Promise<ReadonlyMap<string, string>>, range: string): Promise<string | undefined> {
    const found = await own;
    // A table that every node has a copy of has one shard without a range.
    return found.get(range) ?? found.get('');
  }

  async function read(table: string): Promise<ReadonlyMap<string, string>> {
    const { rows } = await coordinator.query<{ range: string; name: string }>(
      `select coalesce(shardminvalue, '') as range, shard_name(logicalrelid, shardid) as name
       from pg_dist_shard where logicalrelid = $1::regclass`,
      [table],
    );
    return new Map(rows.map((row) => [row.range, row.name]));
  }

  return {
    async find(table, range) {
      const asked = names.get(table);
      const known = asked === undefined ? undefined : await findIn(asked, range);
      if (known !== undefined) return known;
      // The first time, or a shard was split meanwhile.
      if (names.get(table) === asked) {
        const asking = read(table);
        names.set(table, asking);
        asking.catch(() => names.delete(table));
      }
      const name = await findIn(names.get(table)!, range);
      if (name === undefined) throw new Error(`the table ${table} is not distributed like that of contacts`);
      return name;
    },
    forget: () => names.clear(),
  };
}
