import type { Context } from '#platform/context.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { pause } from '#platform/loops/pause.ts';
import { loadWork, type SourceWork } from './list-work.ts';

/** Milliseconds between two looks at the work of an account. */
const interval = 1000;

/** Gets the work of an account after each look. It must not throw. */
type Listener = (sources: readonly SourceWork[]) => void;

interface Watched {
  readonly listeners: Set<Listener>;
  readonly ending: AbortController;
  /** The result of the last look; undefined before the first. */
  last: readonly SourceWork[] | undefined;
}

/**
 * Looks at the running work of accounts. Each account is looked at once a second in each process,
 * however many listeners it has, and only while it has some.
 */
export interface WorkWatch {
  /**
   * Calls the listener after every look, and at once if there is a result already. Returns a
   * function that ends this.
   */
  listen(accountId: number, listener: Listener): () => void;
  /** Number of accounts that are looked at. */
  readonly accounts: number;
}

/** Makes the watch of a process. */
export function createWorkWatch(context: Context): WorkWatch {
  const watched = new Map<number, Watched>();

  async function look(accountId: number, one: Watched): Promise<void> {
    const { signal } = one.ending;
    while (!signal.aborted) {
      try {
        one.last = await loadWork(context, accountId);
        for (const listener of one.listeners) listener(one.last);
      } catch (error) {
        // The listeners keep what they have. The next look tries again.
        context.log.warn({ account_id: accountId, err: describeError(error) }, 'could not load the running work');
      }
      await pause(interval, { signal });
    }
  }

  return {
    listen(accountId, listener) {
      let one = watched.get(accountId);
      if (one === undefined) {
        one = { listeners: new Set(), ending: new AbortController(), last: undefined };
        watched.set(accountId, one);
        void look(accountId, one);
      }
      const { listeners, ending, last } = one;
      listeners.add(listener);
      if (last !== undefined) listener(last);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || ending.signal.aborted) return;
        ending.abort();
        watched.delete(accountId);
      };
    },
    get accounts() {
      return watched.size;
    },
  };
}
