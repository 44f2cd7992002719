import type pg from 'pg';
import type { Logger } from 'pino';
import { describeError } from '../../connection/describe-error.ts';
import { disconnect } from '../../connection/disconnect.ts';
import { openConnection } from '../../connection/open-connection.ts';
import { pause } from '#platform/loops/pause.ts';
import type { Metrics } from '#platform/observability/metrics.ts';

/** A node of a cluster that is probed. */
export interface WatchedNode {
  /** True from the first failed probe until one succeeds. */
  readonly isDown: boolean;
  /** Resolves after the first probe. */
  readonly probed: Promise<void>;
  /** Closes the connections of a pool that are in use when the node goes down. */
  endWithNode(pool: pg.Pool): void;
  /** Closes a connection when the node goes down, until the result is disposed. */
  endConnection(client: pg.ClientBase): Disposable;
}

/** The nodes of a cluster as one process sees them. */
export interface NodeWatch extends AsyncDisposable {
  /** Returns a node, and probes it from now on. A node counts as up until its first probe. */
  watch(name: string, url: string): WatchedNode;
  /** Stops probing all nodes except these, and forgets the others. */
  keepOnly(names: ReadonlySet<string>): void;
  /** True while a watched node is down. */
  readonly anyDown: boolean;
}

/** Milliseconds between two probes of a node. */
const interval = 1000;

/** Milliseconds after which a node that does not respond is down. */
const timeout = 3000;

/** Options of {@link watchNodes}. */
export interface NodeWatchOptions {
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'nodeUp'>;
}

/**
 * Probes the nodes of a cluster, each on its own connection.
 *
 * A server that hangs sends no error. So statements on it would keep the connections and the turns
 * of other accounts for a long time. When a node is down, its statements fail at once.
 */
export function watchNodes({ log, metrics }: NodeWatchOptions): NodeWatch {
  const ending = new AbortController();
  const nodes = new Map<string, Node>();
  const probing = new Set<Promise<void>>();

  async function probeUntilEnd(node: Node): Promise<void> {
    const signal = AbortSignal.any([ending.signal, node.removed]);
    let client: pg.Client | undefined;
    while (!signal.aborted) {
      try {
        client = await responding(node.url, client);
        if (signal.aborted) break;
        metrics.nodeUp.set({ node: node.name }, 1);
        if (node.isDown) log.info({ node: node.name }, 'the node of the cluster can be reached again');
        node.isDown = false;
      } catch (error) {
        client = undefined;
        if (!signal.aborted && !node.isDown) {
          metrics.nodeUp.set({ node: node.name }, 0);
          const facts = { node: node.name, err: describeError(error) };
          log.warn(facts, 'a node of the cluster cannot be reached; its accounts wait');
          node.goDown();
        }
      }
      node.noteProbe();
      await pause(interval, { signal, ref: false });
    }
    if (client !== undefined) disconnect(client, 'the watch has ended');
  }

  return {
    watch(name, url) {
      let node = nodes.get(name);
      if (node === undefined) {
        nodes.set(name, (node = new Node(name, url)));
        const ended = probeUntilEnd(node).finally(() => probing.delete(ended));
        probing.add(ended);
      }
      return node;
    },
    keepOnly(names) {
      for (const [name, node] of nodes) {
        if (names.has(name)) continue;
        nodes.delete(name);
        node.remove();
        metrics.nodeUp.remove({ node: name });
      }
    },
    get anyDown() {
      return nodes.values().some(({ isDown }) => isDown);
    },
    async [Symbol.asyncDispose]() {
      ending.abort();
      await Promise.all(probing);
    },
  };
}

class Node implements WatchedNode {
  readonly name: string;
  readonly url: string;
  isDown = false;
  readonly #firstProbe = Promise.withResolvers<void>();
  readonly #busy = new Set<pg.ClientBase>();
  readonly #removal = new AbortController();

  constructor(name: string, url: string) {
    this.name = name;
    this.url = url;
  }

  get probed(): Promise<void> {
    return this.#firstProbe.promise;
  }

  /** Aborted when the node is no longer watched. */
  get removed(): AbortSignal {
    return this.#removal.signal;
  }

  remove(): void {
    this.#removal.abort();
    // Nobody else would end the wait for the first probe.
    this.noteProbe();
  }

  noteProbe(): void {
    this.#firstProbe.resolve();
  }

  goDown(): void {
    this.isDown = true;
    for (const client of this.#busy) disconnect(client, `the node ${this.name} does not respond`);
  }

  endWithNode(pool: pg.Pool): void {
    pool.on('acquire', (client) => void this.#busy.add(client));
    pool.on('release', (_error, client) => void this.#busy.delete(client));
    pool.on('remove', (client) => void this.#busy.delete(client));
  }

  endConnection(client: pg.ClientBase): Disposable {
    this.#busy.add(client);
    return { [Symbol.dispose]: () => void this.#busy.delete(client) };
  }
}

/**
 * Returns a connection on which the server has responded: the given one, or a new one if that was
 * lost. So a lost connection alone does not make a node count as down.
 */
async function responding(url: string, known: pg.Client | undefined): Promise<pg.Client> {
  if (known !== undefined && (await responds(known))) return known;
  const client = await openConnection(url, 'roster node watch', timeout);
  if (await responds(client)) return client;
  throw new Error('the connection was lost');
}

/** Returns false when the connection is lost. Closes it and throws when the server does not respond. */
async function responds(client: pg.Client): Promise<boolean> {
  const asked = client.query('select 1').then(
    () => true,
    () => false,
  );
  const late = Promise.withResolvers<undefined>();
  // If this process was busy for long, the response may have arrived but is not read yet.
  const timer = setTimeout(() => setImmediate(() => setImmediate(() => late.resolve(undefined))), timeout);
  try {
    const inTime = await Promise.race([asked, late.promise]);
    if (inTime !== undefined) return inTime;
  } finally {
    clearTimeout(timer);
  }
  disconnect(client, 'the node does not respond');
  throw new Error(`no response for ${timeout / 1000} s`);
}
