import type pg from 'pg';
import { NodeDown } from '../../connection/node-down.ts';
import type { AccountServers, Shard } from '../account-servers.ts';
import { nodeName } from './cluster-state.ts';
import { createNodeServers, type NodeAddress, type NodeServer, type NodeServersOptions } from './node-servers.ts';
import { createShardNames } from './shard-names.ts';

/**
 * Settings of all connections to a cluster. SET LOCAL also holds on the nodes that a transaction uses,
 * such as a limit for the wait for locks.
 */
export const clusterSettings = { 'citus.propagate_set_commands': `'local'` } as const;

/** Settings of connections that may write the tables of shards ({@link holdShard}). */
export const shardWriterSettings = { 'citus.enable_manual_changes_to_shards': 'on' } as const;

/** Milliseconds for which the places of shards are remembered. */
const rememberFor = 5000;

/** Options of {@link openClusterServers}. */
export interface ClusterServersOptions extends NodeServersOptions {
  /** Connections to the coordinator. */
  readonly coordinator: pg.Pool;
}

/** The table that shows where an account is: all tables of accounts are co-located. */
const table = 'contacts';

interface NodeShard extends Shard {
  readonly server: NodeServer;
}

/** A shard of {@link table}. */
interface ShardRow {
  readonly id: number;
  /** The name of its table on its node. */
  readonly name: string;
  /** Its first hash value. */
  readonly range: string;
}

/** The shards of a cluster at one time, by the identifiers of the shards of {@link table}. */
interface Placement {
  readonly shards: ReadonlyMap<number, NodeShard>;
  /** The names of their nodes. */
  readonly nodes: ReadonlySet<string>;
  readonly until: number;
}

/** Finds the nodes of accounts of a Citus cluster. */
export function openClusterServers({ coordinator, ...options }: ClusterServersOptions): AccountServers {
  const servers = createNodeServers(options);
  const names = createShardNames(coordinator);
  /** The shards of accounts. An account changes its shard only when an operator splits the shard. */
  const shardIds = new Map<number, number>();
  let placement: Promise<Placement> | undefined;
  /** The identifiers of all shards when they were last read. */
  let lastIds = '';

  /** Asks the coordinator once, however many callers wait. */
  async function place(): Promise<Placement> {
    const asked = placement;
    if (asked !== undefined && (await asked).until > performance.now()) return asked;
    if (placement === asked) {
      const asking = findPlacement();
      placement = asking;
      asking.then(
        ({ nodes }) => {
          if (placement === asking) servers.keepOnly(nodes);
        },
        () => {
          if (placement === asking) placement = undefined;
        },
      );
    }
    // A caller may have forgotten the placement meanwhile.
    return placement ?? place();
  }

  async function findPlacement(): Promise<Placement> {
    const { rows } = await coordinator.query<NodeAddress & ShardRow>(
      `select s.shardid as id, shard_name(s.logicalrelid, s.shardid) as name, s.shardminvalue as range,
         nodename as host, nodeport as port
       from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
       join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
       where s.logicalrelid = $1::regclass order by s.shardid`,
      [table],
    );
    const ids = rows.map(({ id }) => id).join();
    // Shards were split, or the tables are distributed anew: then all their tables have other names.
    if (ids !== lastIds) names.forget();
    lastIds = ids;
    const shards = new Map(rows.map((row) => [row.id, shardIn(servers.on(row), row)]));
    return { shards, nodes: new Set(rows.map(nodeName)), until: performance.now() + rememberFor };
  }

  function shardIn(server: NodeServer, { id, name, range }: ShardRow): NodeShard {
    return {
      id,
      server,
      async tables<Table extends string>(tables: readonly Table[]) {
        // Batches write the tables. They check that the shard of contacts is here, so its name must be
        // that of this very shard.
        const found = await Promise.all(
          tables.map(async (one) => [one, one === table ? name : await names.find(one, range)]),
        );
        return Object.fromEntries(found) as Record<Table, string>;
      },
    };
  }

  async function shardOf(accountId: number): Promise<NodeShard> {
    const id = shardIds.get(accountId);
    const shard = id === undefined ? undefined : (await place()).shards.get(id);
    if (shard !== undefined) return shard;
    const { rows } = await coordinator.query<{ id: number }>(
      `select get_shard_id_for_distribution_column('${table}', $1::int) as id`,
      [accountId],
    );
    const found = rows[0]!.id;
    if (!(await place()).shards.has(found)) forget();
    const other = (await place()).shards.get(found);
    if (other === undefined) throw new Error(`the cluster has no node for account ${accountId}`);
    shardIds.set(accountId, found);
    return other;
  }

  async function upServerOf(accountId: number): Promise<NodeServer> {
    const { server } = await shardOf(accountId);
    await server.node.probed;
    if (server.isDown) throw new NodeDown(server.name);
    return server;
  }

  function forget(): void {
    placement = undefined;
    names.forget();
  }

  return {
    of: upServerOf,
    shardOf,
    shards: async () => [...(await place()).shards.values()],
    forget,
    get anyDown() {
      return options.watch.anyDown;
    },
    async endWithServer(accountId, client) {
      return (await upServerOf(accountId)).node.endConnection(client);
    },
    [Symbol.asyncDispose]: () => servers[Symbol.asyncDispose](),
  };
}
