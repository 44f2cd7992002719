import type pg from 'pg';
import { closeDatabase, openDatabase } from '../connection/database.ts';
import { NodeDown } from '../connection/node-down.ts';
import type { AccountServer, AccountServers, Shard } from './account-servers.ts';
import { nodeName, nodeUrl } from './cluster-state.ts';
import type { NodeWatch, WatchedNode } from './node-watch.ts';

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
export interface ClusterServersOptions {
  /** Connections to the coordinator. */
  readonly coordinator: pg.Pool;
  /** The URL of the database on the coordinator. */
  readonly url: string;
  /** Opens connections to a node, given the URL of the database there. */
  readonly openPool: (url: string) => pg.Pool;
  /** Says which nodes are down. */
  readonly watch: NodeWatch;
}

/** The address of a node. */
export interface Node {
  readonly host: string;
  readonly port: number;
}

/** A node with its connections. */
interface NodeServer extends AccountServer {
  readonly node: WatchedNode;
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

/** Finds the nodes of accounts of a Citus cluster. Opens connections to a node when it is first used. */
export function openClusterServers({ coordinator, url, openPool, watch }: ClusterServersOptions): AccountServers {
  const servers = new Map<string, NodeServer>();
  /** Servers that have no shards any more. Their connections end when they are idle. */
  const former = new Set<NodeServer>();
  /** The shards of accounts. An account changes its shard only when an operator splits the shard. */
  const shardIds = new Map<number, number>();
  /** The names of the shards of a table, by the first hash value of the shard. */
  const names = new Map<string, Promise<ReadonlyMap<string, string>>>();
  let placement: Promise<Placement> | undefined;

  function serverOn(address: Node): NodeServer {
    const name = nodeName(address);
    const own = nodeUrl(url, address);
    const node = watch.watch(name, own);
    const known = servers.get(name);
    if (known?.node === node) return known;
    // The node is new, or it was removed and is probed again.
    if (known !== undefined) former.add(known);
    const pool = openPool(own);
    node.endWithNode(pool);
    const server: NodeServer = {
      pool,
      db: openDatabase(pool),
      name,
      url: own,
      node,
      get isDown() {
        return node.isDown;
      },
    };
    servers.set(name, server);
    return server;
  }

  /** Asks the coordinator once, however many callers wait. */
  async function place(): Promise<Placement> {
    const asked = placement;
    if (asked !== undefined && (await asked).until > performance.now()) return asked;
    if (placement === asked) {
      const asking = findPlacement();
      placement = asking;
      asking.then(
        ({ nodes }) => {
          if (placement === asking) forgetServersExcept(nodes);
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
    const { rows } = await coordinator.query<Node & ShardRow>(
      `select s.shardid as id, shard_name(s.logicalrelid, s.shardid) as name, s.shardminvalue as range,
         nodename as host, nodeport as port
       from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
       join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
       where s.logicalrelid = $1::regclass order by s.shardid`,
      [table],
    );
    const shards = new Map(rows.map((row) => [row.id, shardIn(serverOn(row), row)]));
    return { shards, nodes: new Set(rows.map(nodeName)), until: performance.now() + rememberFor };
  }

  function forgetServersExcept(names: ReadonlySet<string>): void {
    for (const [name, server] of servers) {
      if (names.has(name)) continue;
      servers.delete(name);
      former.add(server);
    }
    watch.keepOnly(names);
  }

  function shardIn(server: NodeServer, { id, name, range }: ShardRow): NodeShard {
    return {
      id,
      server,
      async tables<Table extends string>(tables: readonly Table[]) {
        // The name of the table of contacts must be that of this very shard, because batches write it.
        const found = await Promise.all(
          tables.map(async (one) => [one, one === table ? name : await nameIn(one, range)]),
        );
        return Object.fromEntries(found) as Record<Table, string>;
      },
    };
  }

  async function nameIn(name: string, range: string): Promise<string> {
    const asked = names.get(name);
    // A table that every node has a copy of has one shard without a range.
    const inRange = async (own: Promise<ReadonlyMap<string, string>>): Promise<string | undefined> =>
      (await own).get(range) ?? (await own).get('');
    const known = asked === undefined ? undefined : await inRange(asked);
    if (known !== undefined) return known;
    // The first time, or a shard was split meanwhile.
    if (names.get(name) === asked) {
      const asking = findNames(name);
      names.set(name, asking);
      asking.catch(() => names.delete(name));
    }
    const shard = await inRange(names.get(name)!);
    if (shard === undefined) throw new Error(`the table ${name} is not distributed like ${table}`);
    return shard;
  }

  async function findNames(name: string): Promise<ReadonlyMap<string, string>> {
    const { rows } = await coordinator.query<{ range: string; name: string }>(
      `select coalesce(shardminvalue, '') as range, shard_name(logicalrelid, shardid) as name
       from pg_dist_shard where logicalrelid = $1::regclass`,
      [name],
    );
    return new Map(rows.map((row) => [row.range, row.name]));
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
    names.clear();
  }

  return {
    of: upServerOf,
    shardOf,
    shards: async () => [...(await place()).shards.values()],
    forget,
    get anyDown() {
      return watch.anyDown;
    },
    async endWithServer(accountId, client) {
      return (await upServerOf(accountId)).node.endConnection(client);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...servers.values(), ...former].map(closeDatabase));
    },
  };
}
