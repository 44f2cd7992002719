import type { Context } from '#platform/context.ts';
import { listen, type Listener } from '#platform/database/connection/listen.ts';
import { requestsChannel } from '../accept/accept-store.ts';
import type { AccountServer } from '#platform/database/layout/account-servers.ts';
import { allLanes } from '../operations/buckets.ts';
import { readWaitingLanes } from '../queue/batch-store.ts';
import { areAllLanes, laneOf, type Lane, type Lanes } from '../queue/lane.ts';

/** The waiting requests of all accounts, on all servers. */
export interface QueueWatch extends AsyncDisposable {
  /**
   * Returns the lanes that may have requests to apply, by account. The account that has waited
   * longest comes first.
   */
  waitingLanes(): Promise<ReadonlyMap<number, ReadonlySet<number>>>;
  /** The requests of these lanes are about to be read. */
  forget(lanes: Lanes): void;
  /** The lanes were left. Their account goes to the end. `isEmpty`: no request was left. */
  left(lanes: Lanes, isEmpty: boolean): void;
}

// A worker may read the lanes of all accounts for a twentieth of its time, because with 10,000
// waiting accounts, that takes longer than most batches. After a lost notification, a request
// waits for several seconds then. When few accounts wait, a read takes long only by accident, and
// the next one comes soon.
const pausePerRead = 20;
const longestPause = { first: 500, perAccount: 0.5 };

/**
 * Knows which lanes have waiting requests: from the notifications of requests that are accepted on
 * any server, and by reading all lanes now and then, in case a notification was lost. Calls `onNotify`
 * for each notification. `lanes`: the lanes with new requests; absent if they can be any.
 */
export function watchQueues(
  context: Pick<Context, 'config' | 'log' | 'servers'>,
  onNotify: (lanes?: readonly Lane[]) => void,
): QueueWatch {
  const { config, servers } = context;
  const listeners = new Map<string, Listener>();
  /** Listeners to removed servers that are ending. A server that does not respond delays its end. */
  const ending = new Set<Promise<void>>();
  const waiting = new Map<number, Set<number>>();
  /** Accounts with several lanes. Only reading shows which lanes can apply a request now. */
  const withLanes = new Set<number>();
  let nextRead = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  // A payload is undefined when the subscription begins, and empty if it would be too long.
  function notify(payload: string | undefined): void {
    const lanes = payload ? payload.split(' ').map(laneOf) : undefined;
    if (lanes === undefined) readSoon();
    for (const { accountId, number } of lanes ?? []) {
      if (number !== allLanes) withLanes.add(accountId);
      if (withLanes.has(accountId)) readSoon();
      else waiting.set(accountId, new Set([number]));
    }
    onNotify(lanes);
  }

  function readSoon(): void {
    nextRead = Number.NEGATIVE_INFINITY;
  }

  async function read(): Promise<void> {
    const started = performance.now();
    nextRead = Number.POSITIVE_INFINITY;
    try {
      for (const { accountId, numbers, hasSeveral } of await readWaitingLanes(context)) {
        if (hasSeveral) withLanes.add(accountId);
        waiting.set(accountId, new Set(numbers));
      }
    } catch (error) {
      readSoon();
      throw error;
    }
    const now = performance.now();
    const longest = longestPause.first + longestPause.perAccount * waiting.size;
    nextRead = Math.min(nextRead, now + Math.min(pausePerRead * (now - started), longest));
  }

  async function readIfDue(): Promise<void> {
    if (performance.now() > nextRead) reading ??= read().finally(() => (reading = undefined));
    await reading;
  }

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
      // Another loop may be reading since before the last notification. Then this one reads again.
      await reading;
      await readIfDue();
      return waiting;
    },
    forget({ accountId, numbers }) {
      const own = waiting.get(accountId);
      for (const number of numbers) own?.delete(number);
      if (own?.size === 0) waiting.delete(accountId);
    },
    left(lanes, isEmpty) {
      const { accountId } = lanes;
      const own = waiting.get(accountId) ?? new Set();
      waiting.delete(accountId);
      for (const number of isEmpty ? [] : lanes.numbers) own.add(number);
      if (own.size > 0) waiting.set(accountId, own);
      if (withLanes.has(accountId) || !areAllLanes(lanes)) readSoon();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...listeners.values().map((listener) => listener[Symbol.asyncDispose]()), ...ending]);
    },
  };
}
