import type { Context } from '#platform/context.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';

/** The keys of the contacts that a dry run would have created so far. Disposing deletes them. */
export interface SeenKeys extends AsyncDisposable {
  /** Adds keys. Returns the indexes of the keys that were there before. Ignores undefined. */
  add(keys: readonly (string | undefined)[]): Promise<Set<number>>;
}

/**
 * Opens an empty set of keys. They are stored in a temporary table on a separate connection,
 * because the keys of a large file do not fit into memory.
 */
export async function openSeenKeys({ pool }: Pick<Context, 'pool'>): Promise<SeenKeys> {
  const client = await pool.connect();
  try {
    await client.query('create temp table if not exists seen_keys (key text primary key); truncate seen_keys');
  } catch (error) {
    client.release(true);
    throw error;
  }
  return {
    async add(keys) {
      const wanted = new Set(keys.filter((key) => key !== undefined));
      if (wanted.size === 0) return new Set();
      const { rows } = await client.query<{ key: string }>(
        'insert into seen_keys select * from unnest($1::text[]) on conflict do nothing returning key',
        [arrayLiteral(wanted)],
      );
      const fresh = new Set(rows.map((row) => row.key));
      const repeated = new Set<number>();
      for (const [index, key] of keys.entries()) if (key !== undefined && !fresh.delete(key)) repeated.add(index);
      return repeated;
    },
    async [Symbol.asyncDispose]() {
      // Closing the connection drops the table.
      client.release(true);
    },
  };
}
