import pg from 'pg';
import type { Context } from '#platform/context.ts';

/**
 * Gives the planner of each node the statistics of a new table of contacts, as migrations do on a
 * single server. Shards do not inherit them, so each shard that was created, moved or split needs
 * them. Leaves out nodes that are down. Does nothing on a single server.
 *
 * On a cluster, statements show the account. For an account that is newer than the statistics, the
 * planner would expect one row, and then read the whole account for each value. With
 * `n_distinct = 1` and at most one most common account, it expects that an account can be as large as
 * the largest one.
 */
export async function keepShardStatistics({ config, servers }: Pick<Context, 'config' | 'servers'>): Promise<void> {
  if (config.layout === 'single') return;
  for (const [server, shards] of Map.groupBy(await servers.shards(), (shard) => shard.server)) {
    if (server.isDown) continue;
    const tables = await Promise.all(shards.map(async (shard) => (await shard.tables(['contacts'])).contacts));
    await server.pool.query(statistics(tables));
  }
}

/** Returns a statement that changes nothing in tables that already have the statistics. */
function statistics(tables: readonly string[]): string {
  return `
    do $$
    declare
      shard regclass;
      missing text := 'select not coalesce(attoptions, ''{}'') @> ''{n_distinct=1}'' from pg_attribute where attrelid = $1 and attname = ''account_id''';
      is_missing boolean;
      is_empty boolean;
    begin
      perform set_config('citus.enable_manual_changes_to_shards', 'on', true);
      -- An index that is being built waits for this transaction, so do not wait for its lock.
      perform set_config('lock_timeout', '2s', true);
      foreach shard in array array[${tables.map((table) => pg.escapeLiteral(table)).join()}]::regclass[] loop
        execute missing into is_missing using shard;
        continue when not is_missing;
        -- Another worker may be doing the same.
        execute format('lock table %s in share update exclusive mode', shard);
        execute missing into is_missing using shard;
        continue when not is_missing;
        execute format('alter table %s alter column account_id set (n_distinct = 1)', shard);
        execute format('alter table %s alter column account_id set statistics 1', shard);
        execute format('select not exists (select from %s)', shard) into is_empty;
        -- Without rows there are no statistics.
        if is_empty then
          execute format('insert into %s (account_id, contact_id, contact_key, contact_type, created_at, updated_at) values (0, 0, '''', ''identified'', now(), now())', shard);
        end if;
        execute format('analyze %s', shard);
        if is_empty then
          execute format('delete from %s where account_id = 0 and contact_key = ''''', shard);
        end if;
      end loop;
    end $$`;
}
