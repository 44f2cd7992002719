import type { Context } from '#platform/context.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { listen, type Listener } from '#platform/database/connection/listen.ts';
import { requestsChannel } from '../accept/accept-store.ts';
import { waitingLanes } from '../queue/batch-store.ts';
import type { Lane } from '../queue/lane.ts';

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

  return {
    async waitingLanes() {
      const found = await Promise.allSettled(
        (await servers.all()).map(async (server) => {
          listenTo(server.name, server.url);
          return waitingLanes(server);
        }),
      );
      const failed = found.find((one) => one.status === 'rejected');
      if (failed !== undefined && config.layout === 'single') throw failed.reason;
      if (failed !== undefined)
        log.debug({ err: describeError(failed.reason) }, 'a node of the cluster did not respond');
      return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(listeners.values().map((listener) => listener[Symbol.asyncDispose]()));
    },
  };
}
