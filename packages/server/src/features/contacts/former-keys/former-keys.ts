import { hasIdentity, type Contact } from '../model/contact.ts';
import type { WorkingSet } from '../batch/working-set.ts';

/** A contact that had a key before. */
export interface FormerHolder {
  readonly key: string;
  readonly contactId: number;
  /** When it got another, in milliseconds since 1970. */
  readonly changedAt: number;
}

/** A key that a contact of a batch gave up. */
export interface GivenUpKey {
  readonly contact: Contact;
  readonly key: string;
  /** When it got another, in milliseconds since 1970. */
  readonly changedAt: number;
}

/**
 * Who had the keys before that a batch may meet in late records: what happened before a contact changed its identity, and is reported under
 * the old one afterwards, is the contact's.
 */
export class FormerKeys {
  readonly #stored = new Map<string, FormerHolder[]>();
  readonly #givenUp = new Map<string, Map<Contact, number>>();

  /** `stored`: the former holders of all keys of the batch that have some; they must be in its working set, and whoever has such a key now. */
  constructor(stored: readonly FormerHolder[]) {
    for (const holder of stored) {
      const holders = this.#stored.get(holder.key);
      if (holders === undefined) this.#stored.set(holder.key, [holder]);
      else holders.push(holder);
    }
  }

  /** True for nearly every batch. */
  get isEmpty(): boolean {
    return this.#stored.size === 0 && this.#givenUp.size === 0;
  }

  /** Notes that a contact, which still has its key, gets another at a moment (RFC 3339). An anonymous one had none that anybody could name. */
  giveUp(contact: Contact, at: string): void {
    if (!hasIdentity(contact)) return;
    const holders = this.#givenUp.get(contact.key) ?? new Map<Contact, number>();
    holders.set(contact, Date.parse(at));
    this.#givenUp.set(contact.key, holders);
  }

  /**
   * The contact whose key was this one at a moment (milliseconds since 1970), and is another now. undefined when a contact has the key now,
   * when nobody gave it up after the moment, and when two did at the same time.
   *
   * Of several, the one that gave it up first after the moment had it then.
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

  /** The keys that contacts gave up in the batch, each of a contact once, at the last time. Contacts that the batch deletes are left out. */
  get givenUp(): GivenUpKey[] {
    return [...this.#givenUp].flatMap(([key, holders]) =>
      [...holders].flatMap(([contact, changedAt]) => (contact.deleted ? [] : [{ contact, key, changedAt }])),
    );
  }

  /** The contacts that had a key before and are there, each with the last time when it gave the key up. */
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
