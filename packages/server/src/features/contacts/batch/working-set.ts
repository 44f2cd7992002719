import { BatchTooLarge } from '#pipeline/operations/batch-model.ts';
import { comparableEmail, type Contact } from '../model/contact.ts';
import type { Lookup } from '../model/lookups.ts';

/**
 * Maximum number of contacts in a working set: twice the items of the largest request. Only a
 * batch whose contacts share e-mails or mobile numbers needs more.
 */
export const contactsPerWorkingSet = 20_000;

/**
 * Maximum number of characters of all attributes in a working set, as JSON. A worker needs a few
 * times as much memory for a batch.
 */
const charactersPerWorkingSet = 16 * 1024 * 1024;

// The most contacts that one item needs: three that share the e-mail or mobile that it names, one
// that has its new identity, and a new one. So a batch of one item always fits.
const contactsPerItem = 5;

/**
 * The contacts of a batch in memory.
 *
 * All contacts that the look-ups of the batch find were loaded. A contact that is not here does not
 * exist. The indexes are updated with every change, so an item sees the changes of earlier items.
 */
export class WorkingSet {
  readonly #byKey = new Map<string, Contact>();
  readonly #byId = new Map<number, Contact>();
  readonly #byEmail = new Map<string, Set<Contact>>();
  readonly #byMobile = new Map<string, Set<Contact>>();
  /** All contacts that were added, also those that were deleted later, in the order of adding. */
  readonly all: Contact[] = [];
  #admitted = 0;
  #characters = 0;
  readonly #indexed: { readonly email: boolean; readonly mobile: boolean };

  /** `indexed`: the indexes that the look-ups need. Most batches need neither of them. */
  constructor(indexed: { readonly email: boolean; readonly mobile: boolean }) {
    this.#indexed = indexed;
  }

  /**
   * Counts a contact that is about to be added. `characters`: the length of its attributes.
   * Throws {@link BatchTooLarge} when it does not fit.
   */
  admit(characters: number): void {
    this.#admitted += 1;
    this.#characters += characters;
    if (this.#admitted <= contactsPerItem) return;
    if (this.#admitted > contactsPerWorkingSet || this.#characters > charactersPerWorkingSet)
      throw new BatchTooLarge('the contacts of a batch are too many or too large to be in memory together');
  }

  /** Puts a loaded or new contact into the set. */
  add(contact: Contact): void {
    this.all.push(contact);
    this.#byKey.set(contact.key, contact);
    if (contact.id > 0) this.#byId.set(contact.id, contact);
    this.#index(contact);
  }

  byKey(key: string): Contact | undefined {
    return this.#byKey.get(key);
  }

  /** Returns the contacts that a look-up finds. Only an email or mobile can find several. */
  find(lookup: Lookup): readonly Contact[] {
    switch (lookup.by) {
      case 'key':
        return one(this.#byKey.get(lookup.value));
      case 'id':
        return one(this.#byId.get(lookup.value));
      case 'email':
        return [...(this.#byEmail.get(lookup.value) ?? [])];
      case 'mobile':
        return [...(this.#byMobile.get(lookup.value) ?? [])];
    }
  }

  setKey(contact: Contact, key: string): void {
    this.#byKey.delete(contact.key);
    contact.key = key;
    this.#byKey.set(key, contact);
  }

  setEmail(contact: Contact, email: string | null): void {
    this.#unindex(contact);
    contact.email = email;
    this.#index(contact);
  }

  setMobile(contact: Contact, mobile: string | null): void {
    this.#unindex(contact);
    contact.mobile = mobile;
    this.#index(contact);
  }

  delete(contact: Contact): void {
    this.#unindex(contact);
    this.#byKey.delete(contact.key);
    this.#byId.delete(contact.id);
    contact.deleted = true;
  }

  #index(contact: Contact): void {
    if (this.#indexed.email && contact.email !== null) insert(this.#byEmail, comparableEmail(contact.email), contact);
    if (this.#indexed.mobile && contact.mobile !== null) insert(this.#byMobile, contact.mobile, contact);
  }

  #unindex(contact: Contact): void {
    if (this.#indexed.email && contact.email !== null)
      this.#byEmail.get(comparableEmail(contact.email))?.delete(contact);
    if (this.#indexed.mobile && contact.mobile !== null) this.#byMobile.get(contact.mobile)?.delete(contact);
  }
}

function one(contact: Contact | undefined): readonly Contact[] {
  return contact === undefined ? [] : [contact];
}

function insert(index: Map<string, Set<Contact>>, value: string, contact: Contact): void {
  const contacts = index.get(value);
  if (contacts === undefined) index.set(value, new Set([contact]));
  else contacts.add(contact);
}
