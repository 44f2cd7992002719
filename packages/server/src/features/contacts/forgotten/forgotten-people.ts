import {
  emailIdentifier,
  identifiersOf,
  keyIdentifier,
  mobileIdentifier,
  type Identifier,
  type IdentifyingFields,
} from '../model/identifiers.ts';

/** An identifier of a forgotten person, and the erasure that it belongs to. */
export interface ForgottenIdentifier {
  readonly identifier: Identifier;
  readonly erasureId: string;
}

/**
 * The forgotten people that a batch names. They make sure that an import does not bring back a
 * person who was erased (docs/privacy.md).
 */
export class ForgottenPeople {
  readonly #erasures = new Map<Identifier, Set<string>>();
  readonly #readmitted = new Set<string>();
  readonly #rejects: boolean;

  /**
   * `rejects` is the setting `reject_forgotten_contacts`. Without it, a person who comes back is
   * stored again and is no longer forgotten.
   */
  constructor(known: Iterable<ForgottenIdentifier>, { rejects }: { readonly rejects: boolean }) {
    for (const { identifier, erasureId } of known) this.#add(erasureId, identifier);
    this.#rejects = rejects;
  }

  /** Adds the identifiers of a person who is erased in the batch. */
  forget(erasureId: string, identifiers: Iterable<Identifier>): void {
    for (const identifier of identifiers) this.#add(erasureId, identifier);
  }

  /**
   * Readmits the people who had an identifier: they are no longer forgotten, under any identifier.
   * Returns true when there were such people.
   */
  readmit(identifier: Identifier): boolean {
    const erasures = this.#erasures.get(identifier);
    if (erasures === undefined || erasures.size === 0) return false;
    for (const erasureId of erasures) {
      this.#readmitted.add(erasureId);
      for (const others of this.#erasures.values()) others.delete(erasureId);
    }
    return true;
  }

  /**
   * True when nothing may be stored under an identifier. Without the setting, readmits the people
   * who had the identifier, and returns false.
   */
  rejects(identifier: Identifier): boolean {
    if (this.#rejects) return this.#isForgotten(identifier);
    this.readmit(identifier);
    return false;
  }

  /** True when an item names a forgotten person. Call it for items that found no contact. */
  isNamedBy(item: IdentifyingFields, primaryKey: string): boolean {
    if (!this.#rejects || this.#erasures.size === 0) return false;
    return this.rejectsAny(identifiersOf(item, primaryKey));
  }

  /** True when one of the identifiers is of a forgotten person and is rejected. Readmits no one. */
  rejectsAny(identifiers: readonly Identifier[]): boolean {
    return this.#rejects && identifiers.some((identifier) => this.#isForgotten(identifier));
  }

  /** The erasures whose people are no longer forgotten. */
  get readmitted(): ReadonlySet<string> {
    return this.#readmitted;
  }

  /** True when the batch names no forgotten person, as in nearly every batch. */
  get isEmpty(): boolean {
    return this.#erasures.size === 0;
  }

  #isForgotten(identifier: Identifier): boolean {
    return (this.#erasures.get(identifier)?.size ?? 0) > 0;
  }

  #add(erasureId: string, identifier: Identifier): void {
    const erasures = this.#erasures.get(identifier);
    if (erasures === undefined) this.#erasures.set(identifier, new Set([erasureId]));
    else erasures.add(erasureId);
  }
}

/** The identifying fields of a contact. An absent field does not change. */
interface Names {
  readonly key?: string | undefined;
  readonly email?: string | null | undefined;
  readonly mobile?: string | null | undefined;
}

/**
 * Returns the field that would give a contact the identifier of a forgotten person, or undefined
 * when the change is allowed. `before` is undefined for a new contact.
 *
 * Values that the contact already has are allowed: people can share an address, and one of them may
 * have been erased.
 */
export function forgottenField(
  forgotten: ForgottenPeople,
  primaryKey: string,
  before: Names | undefined,
  { key, email, mobile }: Names,
): 'identity' | 'email' | 'mobile' | undefined {
  if (forgotten.isEmpty) return undefined;
  if (key !== undefined && key !== before?.key && forgotten.rejects(keyIdentifier(primaryKey, key))) return 'identity';
  if (typeof email === 'string') {
    const identifier = emailIdentifier(email);
    const has = typeof before?.email === 'string' && emailIdentifier(before.email) === identifier;
    if (!has && forgotten.rejects(identifier)) return 'email';
  }
  if (typeof mobile === 'string' && mobile !== before?.mobile && forgotten.rejects(mobileIdentifier(mobile)))
    return 'mobile';
  return undefined;
}
