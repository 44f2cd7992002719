import type { Operation } from '#pipeline/operations/payload.ts';
import { kindOfKey, valuesOf, type Identifier } from '#features/contacts/model/identifiers.ts';
import type { PersonItem } from './payload-items.ts';

/**
 * A person as it is looked for in the requests of its account: by everything that it is known by now, and what is learned on the way, because
 * identities and addresses change.
 */
export class Person {
  readonly #known: Set<Identifier>;
  readonly #learned = new Set<Identifier>();
  readonly #createdAt: Date;
  readonly primaryKey: string;
  readonly #needles: string[];

  constructor(primaryKey: string, identifiers: Iterable<Identifier>, createdAt: Date) {
    this.primaryKey = primaryKey;
    this.#known = new Set(identifiers);
    this.#createdAt = createdAt;
    this.#needles = Array.from(this.#known, needleOf);
  }

  /** All that the person is known by. */
  get identifiers(): ReadonlySet<Identifier> {
    return this.#known;
  }

  /** What was learned, beside what the person was made with. */
  get learned(): ReadonlySet<Identifier> {
    return this.#learned;
  }

  /** The contact keys that the person has and had. */
  get keys(): string[] {
    return valuesOf(this.#known, kindOfKey(this.primaryKey));
  }

  /** False when a payload, as JSON, names the person nowhere: most are told apart without reading them. */
  mayBeIn(json: string): boolean {
    // Numbers as identities are stored as they were written, with blanks and dashes.
    if (this.primaryKey === 'MOBILE') return true;
    const text = json.toLowerCase();
    return this.#needles.some((needle) => text.includes(needle));
  }

  /** True when a request may have made the contact without naming it. */
  mayStem(operation: Operation, acceptedAt: Date): boolean {
    return operation === 'contact.create' && acceptedAt.getTime() === this.#createdAt.getTime();
  }

  /** True when the person is the contact that an item is about. */
  owns({ owner }: PersonItem): boolean {
    return owner !== undefined && this.#known.has(owner);
  }

  /** True when an item names the person, whoever it is about. */
  isNamedBy({ identifiers }: PersonItem): boolean {
    return identifiers.some((identifier) => this.#known.has(identifier));
  }

  /**
   * Learns the other identifiers of an item that was applied, when its contact had one that only this person has: its number, or an identity.
   * Addresses can be shared. Answers what is new.
   */
  learnFrom({ owner, identifiers, teaches }: PersonItem): Identifier[] {
    if (!teaches || owner === undefined) return [];
    const isAnother = owner.startsWith('contact_id:') && !this.#known.has(owner);
    if (isAnother || !identifiers.some((one) => this.#known.has(one) && this.#isUnique(one))) return [];
    const fresh = identifiers.filter((identifier) => !this.#known.has(identifier));
    for (const identifier of fresh) {
      this.#known.add(identifier);
      this.#learned.add(identifier);
      this.#needles.push(needleOf(identifier));
    }
    return fresh;
  }

  /** Takes back what was learned: others have it now, so that it does not tell this person from them. */
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

/** How an identifier stands in JSON, in lower case. */
function needleOf(identifier: Identifier): string {
  const [kind] = identifier.split(':', 1);
  const value = identifier.slice(kind!.length + 1);
  return kind === 'contact_id' ? `"contact_id":${value}` : JSON.stringify(value).slice(1, -1).toLowerCase();
}
