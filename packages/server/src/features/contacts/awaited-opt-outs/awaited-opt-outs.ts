import type { OptOutChannel } from '@roster/contract';
import { hasIdentity, type Contact } from '../model/contact.ts';
import { optOutAt } from '../model/opt-outs.ts';
import type { Subscriptions } from '../model/subscriptions.ts';

/** An opt-out that was reported before its contact exists. */
export interface AwaitedOptOut {
  readonly key: string;
  readonly channel: OptOutChannel;
  /** RFC 3339. */
  readonly occurredAt: string;
}

/**
 * The awaited opt-outs of the keys that a batch names. They are applied when the contact appears,
 * so that the activity and the contact can arrive in either order.
 */
export class AwaitedOptOuts {
  readonly #byKey = new Map<string, Map<OptOutChannel, string>>();
  readonly #added = new Set<string>();
  readonly #claimed = new Set<string>();

  constructor(stored: readonly AwaitedOptOut[]) {
    for (const { key, channel, occurredAt } of stored) this.#put(key, channel, occurredAt);
  }

  /** Adds an opt-out of a person who is not a contact yet. */
  add(key: string, channel: OptOutChannel, occurredAt: string): void {
    this.#put(key, channel, occurredAt);
    this.#added.add(key);
  }

  /**
   * Applies the awaited opt-outs of a contact that has just got its identity.
   * A channel that the same request opts in, at `at`, stays opted in.
   */
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

  /** The opt-outs that the batch has added. */
  get added(): readonly AwaitedOptOut[] {
    return [...this.#added].flatMap((key) =>
      [...this.#byKey.get(key)!].map(([channel, occurredAt]) => ({ key, channel, occurredAt })),
    );
  }

  /** The keys whose opt-outs were applied to a contact. */
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
