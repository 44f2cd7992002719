import pg from 'pg';
import { distributedTables } from '#platform/database/layout/distributed-tables.ts';
import { createTestDatabase } from './database.ts';
import { startNodeProxy, type NodeProxy } from './node-proxy.ts';

/**
 * A database on a single server that looks like a cluster to the service: accounts are on two nodes,
 * by `account_id` modulo 2. Each node is a proxy for the server, so it can go down.
 *
 * Everything that is sent to the coordinator works even if a node is down. On a real cluster, it
 * fails or waits then: `npm run test:crash` tests that.
 */
export interface SimulatedCluster extends AsyncDisposable {
  /** The URL of the coordinator. */
  readonly url: string;
  /** The nodes of even and of odd accounts. */
  readonly nodes: readonly [NodeProxy, NodeProxy];
}

/** Creates the database and its nodes. */
export async function simulateCluster(): Promise<SimulatedCluster> {
  const database = await createTestDatabase();
  const { hostname, port } = new URL(database.url);
  const start = (): Promise<NodeProxy> => startNodeProxy({ host: hostname, port: Number(port) });
  const nodes = [await start(), await start()] as const;
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(catalogOf(nodes.map((node) => node.port)));
  await client.end();
  return {
    url: database.url,
    nodes,
    async [Symbol.asyncDispose]() {
      for (const node of nodes) await node[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** SQL for the part of the catalog of Citus that the service reads, with one shard on each node. */
function catalogOf(ports: readonly number[]): string {
  return `
    create table pg_dist_node (groupid int, nodename text, nodeport int, noderole text);
    insert into pg_dist_node select at - 1, '127.0.0.1', port, 'primary'
      from unnest(array[${ports.join()}]) with ordinality as n (port, at);
    create table pg_dist_placement (shardid bigint, groupid int, shardstate int default 1);
    insert into pg_dist_placement select groupid, groupid from pg_dist_node;
    create view pg_dist_local_group as select groupid from pg_dist_node;
    create function lock_shard_metadata(int, bigint[]) returns void language sql as '';
    create table pg_dist_shard (shardid bigint, logicalrelid regclass, shardminvalue text);
    insert into pg_dist_shard values (null, 'accounts', null);
    insert into pg_dist_shard select shardid, name::regclass, shardid::text
      from pg_dist_placement, unnest(array[${distributedTables.map((name) => `'${name}'`).join()}]) as name;
    create function get_shard_id_for_distribution_column(text, int) returns bigint immutable
      language sql as 'select $2::bigint % ${ports.length}';
    create function shard_name(regclass, bigint) returns text immutable
      language sql as $$ select $1::text || coalesce('_of_shard_' || $2, '') $$;
    ${ports
      .flatMap((_, shard) =>
        distributedTables.map(
          (name) =>
            `create view ${name}_of_shard_${shard} as select * from ${name} where account_id % ${ports.length} = ${shard};`,
        ),
      )
      .join('\n')}
    create function insert_contact() returns trigger language plpgsql as $$
      begin insert into contacts select new.*; return new; end $$;
    ${ports
      .map(
        (_, shard) =>
          `create trigger insert_contact instead of insert on contacts_of_shard_${shard} for each row execute function insert_contact();`,
      )
      .join('\n')}`;
}
