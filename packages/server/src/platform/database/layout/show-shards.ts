import type pg from 'pg';

/**
 * Shows the shards of a node of a cluster in `pg_class` to a connection. By default, Citus hides them
 * there, but not in other tables of the catalogue.
 */
export async function showShards(client: pg.ClientBase): Promise<void> {
  await client.query(`set citus.show_shards_for_app_name_prefixes = '*'`);
}
