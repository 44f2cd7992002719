import type pg from 'pg';
import { distributedTables, referenceTables } from '../distributed-tables.ts';

/** A node of a cluster that can have accounts. */
export interface NodeState {
  readonly host: string;
  readonly port: number;
  /** The number of shards of each table on the node. */
  readonly shards: number;
  /** The number of accounts on the node. */
  readonly accounts: number;
}

/** What the coordinator of a cluster knows about its nodes and tables. */
export interface ClusterState {
  readonly nodes: readonly NodeState[];
  /** Tables that the layout distributes, and that are not distributed like the others. */
  readonly missing: readonly string[];
}

/**
 * Reads the state of a cluster from its coordinator. The nodes are not asked, so this also works
 * while some of them do not respond.
 */
export async function readClusterState(coordinator: Pick<pg.ClientBase, 'query'>): Promise<ClusterState> {
  const { rows: nodes } = await coordinator.query<NodeState>(
    `with placed as (
       select s.shardid, p.groupid from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
       where s.logicalrelid = 'contacts'::regclass
     ), shards as (
       select groupid, count(*)::int as shards from placed group by groupid
     ), owners as (
       select get_shard_id_for_distribution_column('contacts', account_id) as shardid from accounts offset 0
     ), accounts as (
       select groupid, count(*)::int as accounts from owners join placed using (shardid) group by groupid
     )
     select nodename as host, nodeport as port, coalesce(shards, 0) as shards, coalesce(accounts, 0) as accounts
     from pg_dist_node n left join shards using (groupid) left join accounts using (groupid)
     where noderole = 'primary' and (shouldhaveshards or shards > 0) order by nodeid`,
  );
  const { rows: missing } = await coordinator.query<{ name: string }>(
    `select name from (
       select unnest($1::text[]) as name, 'h' as method
       union all select unnest($2::text[]), 'n'
     ) wanted
     where not exists (
       select 1 from pg_dist_partition p where p.logicalrelid = to_regclass(wanted.name) and p.partmethod = wanted.method
         and (p.repmodel = 't'
           or p.colocationid = (select colocationid from pg_dist_partition where logicalrelid = to_regclass('contacts')))
     ) order by name`,
    [distributedTables, referenceTables],
  );
  return { nodes, missing: missing.map(({ name }) => name) };
}

/** Returns the name of a node in messages and metrics. */
export function nodeName({ host, port }: Pick<NodeState, 'host' | 'port'>): string {
  return `${host}:${port}`;
}

/** Returns the URL of the database on a node, given its URL on the coordinator. */
export function nodeUrl(url: string, { host, port }: Pick<NodeState, 'host' | 'port'>): string {
  const other = new URL(url);
  // A URL has IPv6 addresses in brackets, and ignores one without them.
  other.hostname = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  other.port = String(port);
  return other.href;
}
