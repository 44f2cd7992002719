import type { Context } from '#platform/context.ts';
import { listen, type Listener } from '#platform/database/connection/listen.ts';
import { requestsChannel } from '../accept/accept-store.ts';
import type { AccountServer } from '#platform/database/layout/account-servers.ts';
import { readWaitingLanes } from '../queue/batch-store.ts';
import type { Lanes } from '../queue/lane.ts';

/** The waiting requests of all accounts, on all servers. */
export interface QueueWatch extends AsyncDisposable {
  /** Lists the lanes of each account that can apply a request now. Leaves out servers that do not respond. */
  waitingLanes(): Promise<Lanes[]>;
}

/**
 * Calls `onNotify` when a request was accepted on any server, as far as notifications arrive.
 * `lanes`: the names of the lanes with new requests; absent if they can be any.
 */
export function watchQueues(
  context: Pick<Context, 'config' | 'log' | 'servers'>,
  onNotify: (lanes?: readonly string[]) => void,
): QueueWatch {
  const { config, servers } = context;
  const listeners = new Map<string, Listener>();
  /** Listeners to removed servers that are ending. A server that does not respond delays its end. */
  const ending = new Set<Promise<void>>();
  // A payload is undefined when the subscription begins, and empty if it would be too long.
  const notify = (payload: string | undefined): void => onNotify(payload ? payload.split(' ') : undefined);

  /** Listens to servers that were added to a cluster, and no longer to those that were removed. */
  function listenTo(present: readonly Pick<AccountServer, 'name' | 'url'>[]): void {
    const names = new Set(present.map(({ name }) => name));
    for (const { name, url } of present) {
      if (!listeners.has(name)) listeners.set(name, listen(context, requestsChannel, notify, url));
    }
    for (const [name, listener] of listeners) {
      if (names.has(name)) continue;
      listeners.delete(name);
      const ended = Promise.resolve(listener[Symbol.asyncDispose]()).finally(() => ending.delete(ended));
      ending.add(ended);
    }
  }

  return {
    async waitingLanes() {
      // Some requests are stored through the coordinator. On a single server, there is only this one.
      const coordinator = { name: 'database', url: config.databaseUrl! };
      listenTo([coordinator, ...(await servers.shards()).map(({ server }) => server)]);
      return readWaitingLanes(context);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...listeners.values().map((listener) => listener[Symbol.asyncDispose]()), ...ending]);
    },
  };
}
