import type { Context } from '#platform/context.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';

/** The keys of contacts that a rehearsal would have created so far. Disposing it forgets them. */
export interface SeenKeys extends AsyncDisposable {
  /** Remembers keys, undefined ones aside; answers the indexes of those that were there before. */
  add(keys: readonly (string | undefined)[]): Promise<Set<number>>;
}

/** Remembers keys in a temporary table, on a connection of its own: a file can have more than the memory of the process holds. */
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
      // The table goes with the connection.
      client.release(true);
    },
  };
}
