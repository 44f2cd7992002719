import type pg from 'pg';

/**
 * How the tables of the service are laid out:
 *
 * - `single`: all on one PostgreSQL server.
 * - `citus`: distributed by `account_id` over the nodes of a Citus cluster ({@link distributeTables}).
 */
export type Layout = 'single' | 'citus';

/** Reads the layout of a database. The schema must exist. */
export async function readLayout(pool: Pick<pg.ClientBase, 'query'>): Promise<Layout> {
  const { rows } = await pool.query<{ distributed: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as distributed`,
  );
  if (!rows[0]!.distributed) return 'single';
  const found = await pool.query(`select 1 from pg_dist_partition where logicalrelid = to_regclass('contacts')`);
  return found.rowCount === 0 ? 'single' : 'citus';
}
