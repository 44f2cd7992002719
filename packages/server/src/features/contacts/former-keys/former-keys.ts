import { hasIdentity, type Contact } from '../model/contact.ts';
import type { WorkingSet } from '../batch/working-set.ts';

/** A contact that had a key before. */
export interface FormerHolder {
  readonly key: string;
  readonly contactId: number;
  /** When the contact got another key, in milliseconds since 1970. */
  readonly changedAt: number;
}

/** A key that a contact of a batch gave up. */
export interface GivenUpKey {
  readonly contact: Contact;
  readonly key: string;
  /** When the contact got another key, in milliseconds since 1970. */
  readonly changedAt: number;
}

/**
 * The contacts that had certain keys before. An activity can be reported under an old identity
 * after the contact got a new one. It belongs to the contact that had the key when it happened.
 */
export class FormerKeys {
  readonly #stored = new Map<string, FormerHolder[]>();
  readonly #givenUp = new Map<string, Map<Contact, number>>();

  /**
   * `stored` has all former holders of the keys that the batch names. The working set must contain
   * these contacts, and the contacts that have such a key now.
   */
  constructor(stored: readonly FormerHolder[]) {
    for (const holder of stored) {
      const holders = this.#stored.get(holder.key);
      if (holders === undefined) this.#stored.set(holder.key, [holder]);
      else holders.push(holder);
    }
  }

  /** True when no contact had the keys before, as in nearly every batch. */
  get isEmpty(): boolean {
    return this.#stored.size === 0 && this.#givenUp.size === 0;
  }

  /**
   * Records that a contact gives up its key; call it before the key changes. `at` is RFC 3339.
   * Does nothing for an anonymous contact, because no request can name it by its key.
   */
  giveUp(contact: Contact, at: string): void {
    if (!hasIdentity(contact)) return;
    const holders = this.#givenUp.get(contact.key) ?? new Map<Contact, number>();
    holders.set(contact, Date.parse(at));
    this.#givenUp.set(contact.key, holders);
  }

  /**
   * Returns the contact that had a key at a moment (milliseconds since 1970), if it has another
   * key now. This is the contact that was the first to give up the key after the moment.
   *
   * Returns undefined when:
   * - a contact has the key now
   * - no contact gave up the key after the moment
   * - two contacts gave up the key at the same time, before all others
   */
  holderAt(contacts: WorkingSet, key: string, moment: number): Contact | undefined {
    if (contacts.byKey(key) !== undefined) return undefined;
    let found: Contact | undefined;
    let changedAt = Infinity;
    for (const [contact, at] of this.#holders(contacts, key)) {
      if (at <= moment || at > changedAt) continue;
      found = at === changedAt ? undefined : contact;
      changedAt = at;
    }
    return found;
  }

  /**
   * The keys that contacts gave up in this batch, with the last time for each contact and key.
   * Leaves out contacts that the batch deletes.
   */
  get givenUp(): GivenUpKey[] {
    return [...this.#givenUp].flatMap(([key, holders]) =>
      [...holders].flatMap(([contact, changedAt]) => (contact.deleted ? [] : [{ contact, key, changedAt }])),
    );
  }

  /** The existing contacts that had a key before, with the last time when they gave it up. */
  #holders(contacts: WorkingSet, key: string): Map<Contact, number> {
    const holders = new Map<Contact, number>();
    for (const { contactId, changedAt } of this.#stored.get(key) ?? []) {
      const [contact] = contacts.find({ by: 'id', value: contactId });
      if (contact !== undefined) holders.set(contact, changedAt);
    }
    for (const [contact, changedAt] of this.#givenUp.get(key) ?? []) {
      if (!contact.deleted) holders.set(contact, changedAt);
    }
    return holders;
  }
}
