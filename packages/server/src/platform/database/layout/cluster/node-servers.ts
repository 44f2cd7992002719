import type pg from 'pg';
import { closeDatabase, openDatabase } from '../../connection/database.ts';
import type { AccountServer } from '../account-servers.ts';
import { nodeName, nodeUrl, type NodeState } from './cluster-state.ts';
import type { NodeWatch, WatchedNode } from './node-watch.ts';

/** The address of a node. */
export type NodeAddress = Pick<NodeState, 'host' | 'port'>;

/** A node with its connections. */
export interface NodeServer extends AccountServer {
  readonly node: WatchedNode;
}

/** Options of {@link createNodeServers}. */
export interface NodeServersOptions {
  /** The URL of the database on the coordinator. */
  readonly url: string;
  /** Opens connections to a node, given the URL of the database there. */
  readonly openPool: (url: string) => pg.Pool;
  /** Says which nodes are down. */
  readonly watch: NodeWatch;
}

/** The nodes of a cluster with connections. Disposing it closes all of them. */
export interface NodeServers extends AsyncDisposable {
  /** Returns the server on a node. Opens connections when it is first used. */
  on(address: NodeAddress): NodeServer;
  /** Forgets all nodes except those with these names. Their connections end when they are idle. */
  keepOnly(names: ReadonlySet<string>): void;
}

/** Makes the servers of a cluster. */
export function createNodeServers({ url, openPool, watch }: NodeServersOptions): NodeServers {
  const servers = new Map<string, NodeServer>();
  /** Servers that have no shards any more, and may still be in use. */
  const former = new Set<NodeServer>();

  return {
    on(address) {
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
    },
    keepOnly(names) {
      for (const [name, server] of servers) {
        if (names.has(name)) continue;
        servers.delete(name);
        former.add(server);
      }
      watch.keepOnly(names);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...servers.values(), ...former].map(closeDatabase));
    },
  };
}
