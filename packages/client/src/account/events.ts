import type { AccountConnection, CallOptions } from '../transport/connection.ts';
import { wait } from '../transport/retry.ts';
import type { AccountEvent, ListEventsQuery } from '../wire/shapes.ts';

/** Options of following the event feed. */
export interface FollowEventsOptions {
  /** Only events after this position. Default: from the oldest event that is kept. */
  readonly after?: number | undefined;
  /** Instead of `after`: from the first event at this time (RFC 3339) or later. */
  readonly since?: string | undefined;
  /** Maximum number of events in one request. Default: 1000, maximum: 10,000. */
  readonly limit?: number | undefined;
  /** Milliseconds until the next request when there are no new events. Default: 1000. */
  readonly interval?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Creates the operations on the event feed of an account. */
export function createEvents(account: AccountConnection) {
  /** Returns the events after a position or from a time on, and where to continue. */
  const read = ({ signal, ...query }: Pick<CallOptions, 'signal'> & ListEventsQuery = {}) =>
    account.call('listEvents', { signal, query });

  return {
    read,
    /**
     * Returns all events, and waits for new ones: `for await (const event of follow({ after }))`.
     *
     * Store the `position` of each event that you have handled, and pass the last one as `after` when
     * your program starts again. Ends only when you leave the loop or abort the signal. Throws an
     * error with the code `gone` when the events after the position are deleted.
     */
    async *follow({ after, since, limit, interval = 1000, signal }: FollowEventsOptions = {}): AsyncGenerator<
      AccountEvent,
      never
    > {
      for (let begin: ListEventsQuery = { after, since }; ;) {
        const { data, next_after: next } = await read({ ...begin, limit, signal });
        yield* data;
        begin = { after: next };
        if (data.length === 0) await wait(interval, signal);
      }
    },
  };
}
