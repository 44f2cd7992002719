import type { OptOutChannel } from '@roster/contract';
import { hasIdentity, type Contact } from '../model/contact.ts';
import { optOutAt } from '../model/opt-outs.ts';
import type { Subscriptions } from '../model/subscriptions.ts';

/** An opt-out of somebody who is not a contact. */
export interface AwaitedOptOut {
  readonly key: string;
  readonly channel: OptOutChannel;
  /** RFC 3339. */
  readonly occurredAt: string;
}

/**
 * The opt-outs of people who are not contacts yet, as far as a batch may meet them: they apply when the contact appears, so that it does
 * not matter whether the activity or the contact arrives first.
 */
export class AwaitedOptOuts {
  readonly #byKey = new Map<string, Map<OptOutChannel, string>>();
  readonly #added = new Set<string>();
  readonly #claimed = new Set<string>();

  constructor(stored: readonly AwaitedOptOut[]) {
    for (const { key, channel, occurredAt } of stored) this.#put(key, channel, occurredAt);
  }

  /** Remembers an opt-out of somebody who is not a contact at this point of the order. */
  add(key: string, channel: OptOutChannel, occurredAt: string): void {
    this.#put(key, channel, occurredAt);
    this.#added.add(key);
  }

  /** Opts a contact out that has its identity from now on; unless the same request says at `at` that it opts in, by channel. */
  apply(contact: Contact, subscriptions: Subscriptions, at: string): void {
    const awaited = this.#byKey.get(contact.key);
    if (awaited === undefined || !hasIdentity(contact)) return;
    for (const [channel, occurredAt] of awaited) {
      if (subscriptions?.[channel] === true) contact.optedInAt = { ...contact.optedInAt, [channel]: at };
      else optOutAt(contact, channel, occurredAt);
    }
    this.#byKey.delete(contact.key);
    this.#added.delete(contact.key);
    this.#claimed.add(contact.key);
  }

  /** What the batch has added. */
  get added(): readonly AwaitedOptOut[] {
    return [...this.#added].flatMap((key) =>
      [...this.#byKey.get(key)!].map(([channel, occurredAt]) => ({ key, channel, occurredAt })),
    );
  }

  /** The keys that have become contacts. */
  get claimed(): ReadonlySet<string> {
    return this.#claimed;
  }

  #put(key: string, channel: OptOutChannel, occurredAt: string): void {
    const channels = this.#byKey.get(key) ?? new Map<OptOutChannel, string>();
    const known = channels.get(channel);
    if (known === undefined || Date.parse(known) < Date.parse(occurredAt)) channels.set(channel, occurredAt);
    this.#byKey.set(key, channels);
  }
}
