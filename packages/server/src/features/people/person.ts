import { kindOfKey, valuesOf, type Identifier } from '#features/contacts/model/identifiers.ts';
import type { PersonItem } from './payload-items.ts';
import type { StoredRequest } from './request-store.ts';

/** The parts of a request that tell whether it may have created a contact. */
type CreatingRequest = Pick<StoredRequest, 'operation' | 'firstContactId' | 'lastContactId'>;

/**
 * A person to search for in the requests of an account. The search starts with the current
 * identifiers. It learns former identifiers from the requests that it finds, because identities and
 * addresses change.
 */
export class Person {
  readonly #known: Set<Identifier>;
  readonly #learned = new Set<Identifier>();
  readonly #contactId: number;
  readonly primaryKey: string;
  /** The texts that appear in the JSON of a payload that names the person. */
  readonly #searchTexts: string[];

  constructor(primaryKey: string, contactId: number, identifiers: Iterable<Identifier>) {
    this.primaryKey = primaryKey;
    this.#contactId = contactId;
    this.#known = new Set(identifiers);
    this.#searchTexts = Array.from(this.#known, searchTextOf);
  }

  /** All known identifiers of the person. */
  get identifiers(): ReadonlySet<Identifier> {
    return this.#known;
  }

  /** The identifiers that were learned during the search. */
  get learned(): ReadonlySet<Identifier> {
    return this.#learned;
  }

  /** The present and former contact keys of the person. */
  get keys(): string[] {
    return valuesOf(this.#known, kindOfKey(this.primaryKey));
  }

  /**
   * Returns false if the payload does not name the person. A fast check that needs no JSON parser.
   */
  mayBeIn(json: string): boolean {
    // A payload holds mobile numbers as the caller wrote them, with spaces and dashes.
    if (this.primaryKey === 'MOBILE') return true;
    const text = json.toLowerCase();
    return this.#searchTexts.some((part) => text.includes(part));
  }

  /**
   * Tells whether a request may have created the contact without naming it (an anonymous contact).
   * The time of creation does not tell this: an import can give a contact an earlier one.
   */
  mayBeCreatedBy({ operation, firstContactId, lastContactId }: CreatingRequest): boolean {
    if (operation !== 'contact.create' || firstContactId === null || lastContactId === null) return false;
    return firstContactId <= this.#contactId && this.#contactId <= lastContactId;
  }

  /** Tells whether the person is the contact that an item changes. */
  owns({ owner }: PersonItem): boolean {
    return owner !== undefined && this.#known.has(owner);
  }

  /** Tells whether an item names the person, even if it changes another contact. */
  isNamedBy({ identifiers }: PersonItem): boolean {
    return identifiers.some((identifier) => this.#known.has(identifier));
  }

  /**
   * Learns the identifiers of an applied item if the item has the `contact_id` or an identity of
   * this person. An e-mail address or mobile number is not enough, because several people can share
   * it. Returns the new identifiers.
   */
  learnFrom({ owner, identifiers, linksIdentifiers }: PersonItem): Identifier[] {
    if (!linksIdentifiers || owner === undefined) return [];
    const isAnother = owner.startsWith('contact_id:') && !this.#known.has(owner);
    if (isAnother || !identifiers.some((one) => this.#known.has(one) && this.#isUnique(one))) return [];
    const fresh = identifiers.filter((identifier) => !this.#known.has(identifier));
    for (const identifier of fresh) {
      this.#known.add(identifier);
      this.#learned.add(identifier);
      this.#searchTexts.push(searchTextOf(identifier));
    }
    return fresh;
  }

  /** Removes learned identifiers that another contact has now. They do not identify this person. */
  unlearn(identifiers: Iterable<Identifier>): void {
    for (const identifier of identifiers) {
      this.#known.delete(identifier);
      this.#learned.delete(identifier);
    }
  }

  #isUnique(identifier: Identifier): boolean {
    return identifier.startsWith('contact_id:') || identifier.startsWith(`${kindOfKey(this.primaryKey)}:`);
  }
}

/** Returns the text of an identifier in JSON, in lower case. */
function searchTextOf(identifier: Identifier): string {
  const [kind] = identifier.split(':', 1);
  const value = identifier.slice(kind!.length + 1);
  return kind === 'contact_id' ? `"contact_id":${value}` : JSON.stringify(value).slice(1, -1).toLowerCase();
}
