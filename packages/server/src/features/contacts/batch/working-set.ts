import { BatchTooLarge } from '#pipeline/operations/batch-model.ts';
import { comparableEmail, type Contact } from '../model/contact.ts';
import type { Lookup } from '../model/lookups.ts';

/** Most contacts of a working set: twice as many as the largest request has items. Only values that many contacts share lead to more. */
export const contactsPerWorkingSet = 20_000;

/** Most characters of attributes in a working set, as JSON: a few times that is what a worker needs for a batch. */
const charactersPerWorkingSet = 16 * 1024 * 1024;

// One item needs at most so many: the contact that it names (three, of those that share a value), one with its new identity, and a new one.
// An item alone always fits.
const contactsPerItem = 5;

/**
 * The contacts that a batch of requests may touch, as they stand while the batch is applied in memory.
 *
 * Every contact that a look-up of the batch can mean was loaded, so what is not here does not exist. The indexes follow every change:
 * a request sees what the ones before it did.
 */
export class WorkingSet {
  readonly #byKey = new Map<string, Contact>();
  readonly #byId = new Map<number, Contact>();
  readonly #byEmail = new Map<string, Set<Contact>>();
  readonly #byMobile = new Map<string, Set<Contact>>();
  /** Every contact that was ever in the set, deleted ones too, in the order in which they came. */
  readonly all: Contact[] = [];
  #admitted = 0;
  #characters = 0;
  readonly #indexed: { readonly email: boolean; readonly mobile: boolean };

  /** `indexed` says by which values contacts will be looked up: most batches need neither index, and pay for neither. */
  constructor(indexed: { readonly email: boolean; readonly mobile: boolean }) {
    this.#indexed = indexed;
  }

  /**
   * Counts a contact that is about to be added, with the characters of its attributes; throws {@link BatchTooLarge} when it does not fit.
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

  /** The contacts that a look-up means; more than one only by email or mobile. */
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
