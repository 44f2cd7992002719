import type { AccountEvent, EventKind } from '@roster/contract';
import { eventsAfter, feedEnds } from '#features/events/event-store.ts';
import type { Database } from '#platform/database/connection/database.ts';

// Events of one read: about a group. A batch has at most 1000.
const eventsPerRead = 2000;

// Milliseconds for which read events are used. An erasure empties the details of stored events, and
// events that were read before must not be sent long after it.
const maxAge = 1000;

/** Events of the feed to send together. */
export interface EventBatch {
  readonly events: readonly AccountEvent[];
  /** The batch covers the events up to this position, also those that are not wanted. */
  readonly last: number;
}

/** Thrown when the events after a position are deleted. */
export class EventsExpired extends Error {
  override readonly name = 'EventsExpired';
  /** Events up to this position are deleted. */
  readonly position: number;

  constructor(position: number) {
    super('the events are deleted');
    this.position = position;
  }
}

/** Reads the feed of an account for one subscription. It keeps the rest of a read for the next batch. */
export class FeedReader {
  readonly #db: Database;
  readonly #accountId: number;
  readonly #kinds: ReadonlySet<EventKind> | undefined;
  #events: readonly AccountEvent[] = [];
  #at = 0;
  #readAt = Number.NEGATIVE_INFINITY;

  /** `kinds`: null for all kinds. */
  constructor(db: Database, accountId: number, kinds: readonly EventKind[] | null) {
    this.#db = db;
    this.#accountId = accountId;
    this.#kinds = kinds === null ? undefined : new Set(kinds);
  }

  /**
   * Returns the next batch after a position, with up to `max` events. Undefined: there are no later
   * events. Throws {@link EventsExpired}.
   */
  async next(after: number, max: number): Promise<EventBatch | undefined> {
    const isNext = this.#events[this.#at]?.position === after + 1;
    if (!isNext || performance.now() - this.#readAt > maxAge) await this.#read(after, eventsPerRead);
    const events: AccountEvent[] = [];
    let last = after;
    for (; this.#at < this.#events.length && events.length < max; this.#at++) {
      const event = this.#events[this.#at]!;
      last = event.position;
      if (this.#kinds?.has(event.kind) !== false) events.push(event);
    }
    return last === after ? undefined : { events, last };
  }

  /** Returns the wanted events of a range of positions. Throws {@link EventsExpired}. */
  async range(after: number, last: number): Promise<readonly AccountEvent[]> {
    await this.#read(after, last - after);
    this.#at = this.#events.length;
    return this.#events.filter(({ kind }) => this.#kinds?.has(kind) !== false);
  }

  async #read(after: number, limit: number): Promise<void> {
    this.#readAt = performance.now();
    this.#at = 0;
    this.#events = await eventsAfter(this.#db, this.#accountId, after, limit);
    // After the events, so that events that are deleted meanwhile are an error, not a gap.
    const ends = await feedEnds(this.#db, this.#accountId);
    if (after < ends.expired_position) throw new EventsExpired(ends.expired_position);
  }
}
