import type { Context } from '#platform/context.ts';
import { listen, type Listener } from '#platform/database/connection/listen.ts';
import { requestsChannel } from '../accept/accept-store.ts';
import type { AccountServer } from '#platform/database/layout/account-servers.ts';
import { readWaitingLanes } from '../queue/batch-store.ts';
import type { Lane } from '../queue/lane.ts';

/** The waiting requests of all accounts, on all servers. */
export interface QueueWatch extends AsyncDisposable {
  /** Lists the lanes that can apply a request now. Leaves out servers that do not respond. */
  waitingLanes(): Promise<Lane[]>;
}

/** Calls `onNotify` when a request was accepted on any server, as far as notifications arrive. */
export function watchQueues(context: Pick<Context, 'config' | 'log' | 'servers'>, onNotify: () => void): QueueWatch {
  const { config, servers } = context;
  const listeners = new Map<string, Listener>();

  /** Begins to listen to servers that were added to a cluster, and stops listening to those that were removed. */
  async function listenTo(present: readonly Pick<AccountServer, 'name' | 'url'>[]): Promise<void> {
    const names = new Set(present.map(({ name }) => name));
    for (const { name, url } of present) {
      if (!listeners.has(name)) listeners.set(name, listen(context, requestsChannel, onNotify, url));
    }
    for (const [name, listener] of listeners) {
      if (names.has(name)) continue;
      listeners.delete(name);
      await listener[Symbol.asyncDispose]();
    }
  }

  return {
    async waitingLanes() {
      // Some requests are stored through the coordinator. On a single server, there is only this one.
      const coordinator = { name: 'database', url: config.databaseUrl! };
      await listenTo([coordinator, ...(await servers.shards()).map(({ server }) => server)]);
      return readWaitingLanes(context);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(listeners.values().map((listener) => listener[Symbol.asyncDispose]()));
    },
  };
}
