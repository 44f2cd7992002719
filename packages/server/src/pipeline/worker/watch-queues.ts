import type { Context } from '#platform/context.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { listen, type Listener } from '#platform/database/connection/listen.ts';
import type { ServerWithQueues } from '#platform/database/layout/account-servers.ts';
import { pause } from '#platform/loops/pause.ts';
import { requestsChannel } from '../accept/accept-store.ts';
import { waitingLanes } from '../queue/batch-store.ts';
import type { Lane } from '../queue/lane.ts';

// Milliseconds. A node normally responds within a few milliseconds.
const nodePatience = 500;

/** The waiting requests of all accounts, on all servers. */
export interface QueueWatch extends AsyncDisposable {
  /** Lists the lanes that can apply a request now. Leaves out servers that do not respond. */
  waitingLanes(): Promise<Lane[]>;
}

/** Calls `onNotify` when a request was accepted on any server, as far as notifications arrive. */
export function watchQueues(context: Pick<Context, 'config' | 'log' | 'servers'>, onNotify: () => void): QueueWatch {
  const { config, log, servers } = context;
  const listeners = new Map<string, Listener>();

  /** A server that was added to a cluster gets its listener when its queue is read for the first time. */
  function listenTo(name: string, url: string | undefined): void {
    if (!listeners.has(name)) listeners.set(name, listen(context, requestsChannel, onNotify, url));
  }

  /** Reads of nodes of a cluster that have not ended yet. */
  const reading = new Map<string, Promise<Lane[]>>();

  /** Reads the lanes of a node. A node that hangs must not delay the others, so it is left out then. */
  async function lanesOfNode(server: ServerWithQueues): Promise<Lane[]> {
    if (server.isDown || reading.has(server.name)) return [];
    const read = waitingLanes(server).finally(() => reading.delete(server.name));
    reading.set(server.name, read);
    try {
      return (await Promise.race([read, pause(nodePatience, { ref: false })])) ?? [];
    } catch (error) {
      log.debug({ err: describeError(error) }, 'a node of the cluster did not respond');
      return [];
    }
  }

  return {
    async waitingLanes() {
      const all = await servers.all();
      for (const { name, url } of all) listenTo(name, url);
      const lanes = await Promise.all(config.layout === 'single' ? all.map(waitingLanes) : all.map(lanesOfNode));
      return lanes.flat();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(listeners.values().map((listener) => listener[Symbol.asyncDispose]()));
    },
  };
}
