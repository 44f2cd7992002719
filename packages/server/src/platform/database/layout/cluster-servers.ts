import type pg from 'pg';
import { openDatabase } from '../connection/database.ts';
import { NodeDown } from '../connection/node-down.ts';
import type { AccountServer, AccountServers } from './account-servers.ts';
import type { NodeWatch, WatchedNode } from './node-watch.ts';

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
  /** Milliseconds for which the place of an account is remembered; default 5000. */
  readonly rememberFor?: number;
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

interface Place {
  readonly node: string;
  readonly until: number;
}

/** The table that shows where an account is: all tables of accounts are co-located. */
const table = 'contacts';

/** Finds the nodes of accounts of a Citus cluster. Opens connections to a node when it is first used. */
export function openClusterServers({
  coordinator,
  url,
  openPool,
  watch,
  rememberFor = 5000,
}: ClusterServersOptions): AccountServers {
  const servers = new Map<string, NodeServer>();
  const places = new Map<number, Place>();
  const asked = new Map<number, Promise<string>>();

  function serverOn(place: Node): NodeServer {
    const name = nameOf(place);
    let server = servers.get(name);
    if (server === undefined) {
      const nodeUrl = urlOn(url, place);
      const pool = openPool(nodeUrl);
      const node = watch.watch(name, nodeUrl);
      node.endWithNode(pool);
      servers.set(name, (server = { pool, db: openDatabase(pool), name, node }));
    }
    return server;
  }

  /** Asks the coordinator once, however many callers wait. */
  async function ask(accountId: number): Promise<string> {
    const asking =
      asked.get(accountId) ??
      find(accountId).finally(() => {
        asked.delete(accountId);
      });
    asked.set(accountId, asking);
    return asking;
  }

  async function find(accountId: number): Promise<string> {
    const { rows } = await coordinator.query<Node>(
      `select nodename as host, nodeport as port from pg_dist_placement p
       join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
       where p.shardid = get_shard_id_for_distribution_column('${table}', $1::int)`,
      [accountId],
    );
    const [node] = rows;
    if (node === undefined) throw new Error(`the cluster has no node for account ${accountId}`);
    serverOn(node);
    const name = nameOf(node);
    places.set(accountId, { node: name, until: Date.now() + rememberFor });
    return name;
  }

  async function upServerOf(accountId: number): Promise<NodeServer> {
    const place = places.get(accountId);
    const name = place !== undefined && place.until > Date.now() ? place.node : await ask(accountId);
    const server = servers.get(name)!;
    await server.node.probed;
    if (server.node.isDown) throw new NodeDown(name);
    return server;
  }

  return {
    of: upServerOf,
    get anyDown() {
      return watch.anyDown;
    },
    async endWithServer(accountId, client) {
      return (await upServerOf(accountId)).node.endConnection(client);
    },
    async all() {
      const { rows } = await coordinator.query<Node & { readonly queues: string[] }>(
        `select nodename as host, nodeport as port, array_agg(shard_name(s.logicalrelid, s.shardid) order by s.shardid) as queues
         from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
         join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
         where s.logicalrelid = 'request_queue'::regclass group by 1, 2`,
      );
      return rows.map(({ queues, ...place }) => {
        const { node, ...server } = serverOn(place);
        return { ...server, url: urlOn(url, place), queues, isDown: node.isDown };
      });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(
        servers.values().map(async ({ db, pool }) => {
          await db.destroy();
          if (!pool.ending) await pool.end();
        }),
      );
    },
  };
}

function nameOf({ host, port }: Node): string {
  return `${host}:${port}`;
}

function urlOn(url: string, { host, port }: Node): string {
  const other = new URL(url);
  other.hostname = host;
  other.port = String(port);
  return other.href;
}
