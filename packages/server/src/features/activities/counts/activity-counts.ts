import type { Month } from '#platform/time/month.ts';
import { dayIndex, daysOfMonth } from './days-of-month.ts';

/** A stored activity, as it is counted. */
export interface CountedActivity {
  readonly channel: number;
  readonly kind: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly messageId: number | undefined;
  readonly messageName: string | undefined;
}

/** How many activities of a day have a channel, a kind and a message. */
export interface ActivityCount {
  readonly month: Month;
  /** `YYYY-MM-DD` in the time zone of the account. */
  readonly day: string;
  readonly channel: number;
  readonly kind: number;
  /** {@link noMessage} for activities without a message. */
  readonly messageId: number;
  count: number;
}

/** The stored message_id of activities without a message. */
export const noMessage = -1;

/** Counts the activities that a batch stores, by day, channel, kind and message. */
export class ActivityCounts {
  readonly #timeZone: string;
  readonly #byMessage = new Map<number, Map<number, ActivityCount>>();
  /** The latest names of the messages. */
  readonly names = new Map<number, string>();
  #lastId: number | undefined;
  #ofLastId: Map<number, ActivityCount> | undefined;

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  add(month: Month, { channel, kind, at, messageId = noMessage, messageName }: CountedActivity): void {
    const days = daysOfMonth(month, this.#timeZone);
    const index = dayIndex(days, at);
    let counts = messageId === this.#lastId ? this.#ofLastId : this.#byMessage.get(messageId);
    if (counts === undefined) this.#byMessage.set(messageId, (counts = new Map()));
    this.#lastId = messageId;
    this.#ofLastId = counts;
    // The parts of the number: 16 channels, 16 kinds, 64 days of a month.
    const place = ((month * 64 + index) * 16 + channel) * 16 + kind;
    const found = counts.get(place);
    if (found === undefined) counts.set(place, { month, day: days.days[index]!, channel, kind, messageId, count: 1 });
    else found.count += 1;
    if (messageName !== undefined && messageId !== noMessage) this.names.set(messageId, messageName);
  }

  get counts(): ActivityCount[] {
    return [...this.#byMessage.values()].flatMap((counts) => [...counts.values()]);
  }
}
