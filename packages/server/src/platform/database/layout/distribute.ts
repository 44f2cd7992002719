import pg from 'pg';
import { advisoryLocks } from '../statements/advisory-locks.ts';
import { distributedTables, referenceTables } from './distributed-tables.ts';

/** Number of shards of a distributed table. A cluster can have at most as many nodes. */
const defaultShards = 32;

/**
 * Distributes the tables of the service over the nodes of a Citus cluster. Tables that are
 * distributed already stay as they are, so it can be repeated. Existing rows move to their nodes.
 *
 * `client` is connected to the coordinator. It must not be in a transaction. Several processes may
 * call it at once; they wait for each other.
 */
export async function distributeTables(client: pg.ClientBase, shards = defaultShards): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [advisoryLocks.distribution]);
  try {
    await distribute(client, shards);
  } finally {
    // A lost connection has released the lock.
    await client.query('select pg_advisory_unlock($1)', [advisoryLocks.distribution]).catch(() => undefined);
  }
}

async function distribute(client: pg.ClientBase, shards: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    // Not the tables that Citus manages on the coordinator because of a foreign key.
    `select logicalrelid::regclass::text as name from pg_dist_partition where partmethod = 'h' or repmodel = 't'`,
  );
  const done = new Set(rows.map(({ name }) => name));
  await dropForeignKeys(client);
  for (const table of referenceTables) {
    if (!done.has(table)) await client.query('select create_reference_table($1::regclass)', [table]);
  }
  await client.query(`select set_config('citus.shard_count', $1, false)`, [String(shards)]);
  const [first, ...others] = distributedTables;
  if (!done.has(first)) {
    await client.query(`select create_distributed_table($1::regclass, 'account_id', colocate_with => 'none')`, [first]);
  }
  for (const table of others) {
    if (done.has(table)) continue;
    await client.query(`select create_distributed_table($1::regclass, 'account_id', colocate_with => $2)`, [
      table,
      first,
    ]);
  }
  await deleteLeftRows(client);
}

/**
 * Deletes the rows that Citus left in the tables of the coordinator after it had copied them to the
 * nodes. No statement sees them there, so nothing else would ever delete them.
 */
async function deleteLeftRows(client: pg.ClientBase): Promise<void> {
  // A foreign key that stayed would empty its table as well.
  const { rows } = await client.query<{ name: string }>(
    `select confrelid::regclass::text as name from pg_constraint where contype = 'f' and conrelid <> all ($1::text[]::regclass[])`,
    [distributedTables],
  );
  const referenced = new Set(rows.map(({ name }) => name));
  // Others are left alone, because a truncation waits for every reader.
  const { rows: filled } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) as name where pg_relation_size(name::regclass) > 0
       or exists (select 1 from pg_partition_tree(name::regclass) where pg_relation_size(relid) > 0)`,
    [[...distributedTables, ...referenceTables]],
  );
  for (const { name: table } of filled) {
    if (referenced.has(table)) continue;
    await client.query('select truncate_local_data_after_distributing_table($1::regclass)', [table]);
  }
}

/**
 * Drops the foreign keys of tables of the coordinator to tables that every node has. With them, Citus
 * would manage these tables as well, and they could not run everything that PostgreSQL can. The
 * deletion of an account deletes its rows from all tables anyway.
 *
 * Citus cannot give up a table with an identity column that it manages already, such as one that was
 * created after `accounts` was distributed. Such a key stays.
 */
async function dropForeignKeys(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement from pg_constraint
     where contype = 'f' and confrelid = any ($1::text[]::regclass[]) and conrelid <> all ($2::text[]::regclass[])`,
    [referenceTables, distributedTables],
  );
  for (const { statement } of rows) {
    await client.query(statement).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError) || error.code !== '0A000') throw error;
    });
  }
}

/**
 * Returns why a server cannot distribute tables, and what to do; undefined when it can. `client` is
 * connected to it.
 */
export async function findClusterFault(client: pg.ClientBase): Promise<string | undefined> {
  const extension = await client.query(`select 1 from pg_extension where extname = 'citus'`);
  if (extension.rowCount === 0) {
    return 'The database does not have the extension citus. Create it on the coordinator and on every node: create extension citus.';
  }
  const { rows } = await client.query<{ coordinator: boolean; registered: boolean; nodes: number }>(
    `select (select groupid from pg_dist_local_group) = 0 as coordinator,
       exists (select 1 from pg_dist_node where groupid = 0) as registered,
       (select count(*)::int from pg_dist_node where groupid > 0 and noderole = 'primary' and shouldhaveshards) as nodes`,
  );
  const { coordinator, registered, nodes } = rows[0]!;
  if (!coordinator) return 'DATABASE_URL is a node of the cluster. Set it to the coordinator.';
  if (nodes === 0) {
    return `The cluster has no nodes. Add each of them on the coordinator: select citus_add_node('host', 5432).`;
  }
  if (!registered) {
    return `The nodes do not know the coordinator. Run on the coordinator: select citus_set_coordinator_host('host', 5432).`;
  }
  return undefined;
}
