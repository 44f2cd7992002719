import type { Context } from '#platform/context.ts';
import { createFairGate } from '#platform/load/fair-gate.ts';
import { findFinished, type FinishedRequest } from './finished-store.ts';
import { createResultWatch } from './result-watch.ts';

declare module '#platform/context.ts' {
  interface Context {
    /** Callers who wait until their requests are applied. */
    readonly requestWaits: RequestWaits;
  }
}

/** How many callers may wait at the same time in a process. The others get their answer at once. */
export const waitingCallers = { total: 4000, perAccount: 1000 } as const;

/** The callers who wait in a process. A caller holds its connection to the service, nothing more. */
export interface RequestWaits {
  /**
   * Begins a wait of an account; undefined if too many wait already, or if the process stops.
   * Dispose it when the answer is ready.
   */
  begin(accountId: number, limits: WaitLimits): RequestWait | undefined;
  /** Ends all waits. Later callers do not wait. */
  stop(): void;
  /** Number of callers who wait. */
  readonly waiting: number;
}

/** What ends a wait. */
export interface WaitLimits {
  /** The latest end, as of `performance.now()`. */
  readonly until: number;
  /** Is aborted when the client disconnects. */
  readonly disconnect: AbortSignal;
}

/** One wait. */
export interface RequestWait extends Disposable {
  /** Is aborted when the time is over, the client disconnects, or the process stops. */
  readonly signal: AbortSignal;
  /** Waits until a request is finished; undefined when the wait ends before. */
  find(requestId: string): Promise<FinishedRequest | undefined>;
}

/** Makes the waits of a process. */
export function createRequestWaits(context: Pick<Context, 'servers' | 'log'>): RequestWaits {
  const { log } = context;
  const { total, perAccount } = waitingCallers;
  const places = createFairGate<number>({ total, perKey: perAccount, waitingPerKey: 0, timeout: 0 });
  const watch = createResultWatch((keys) => findFinished(context, keys), log);
  const endings = new Set<() => void>();
  let isStopping = false;

  return {
    begin(accountId, { until, disconnect }) {
      const leave = isStopping ? undefined : places.tryEnter(accountId);
      if (leave === undefined) return undefined;
      const ending = new AbortController();
      const end = (): void => ending.abort(new WaitEnded());
      const timer = setTimeout(end, Math.max(0, until - performance.now()));
      endings.add(end);
      if (disconnect.aborted) end();
      else disconnect.addEventListener('abort', end);
      const { signal } = ending;
      return {
        signal,
        find: (requestId) => watch.find({ accountId, requestId }, signal),
        [Symbol.dispose]() {
          clearTimeout(timer);
          endings.delete(end);
          disconnect.removeEventListener('abort', end);
          leave();
        },
      };
    },
    stop() {
      isStopping = true;
      for (const end of endings) end();
    },
    get waiting() {
      return endings.size;
    },
  };
}

/** A wait has ended before its request was applied. */
class WaitEnded extends Error {
  override readonly name = 'WaitEnded';
  constructor() {
    super('the wait has ended');
  }
}
