import {
  emailIdentifier,
  identifiersOf,
  keyIdentifier,
  mobileIdentifier,
  type Identifier,
  type NamesPerson,
} from '../model/identifiers.ts';

/** An identifier of a person whom the account has forgotten, and the erasure that it belongs to. */
export interface ForgottenIdentifier {
  readonly identifier: Identifier;
  readonly erasureId: string;
}

/**
 * The people whom an account has forgotten, as far as a batch names them; so that an import does not bring back who was erased
 * (docs/privacy.md).
 */
export class ForgottenPeople {
  readonly #erasures = new Map<Identifier, Set<string>>();
  readonly #remembered = new Set<string>();
  readonly #rejects: boolean;

  /** `rejects`: the setting `reject_forgotten_contacts`; without it, whoever comes back is forgotten no more. */
  constructor(known: Iterable<ForgottenIdentifier>, { rejects }: { readonly rejects: boolean }) {
    for (const { identifier, erasureId } of known) this.#add(erasureId, identifier);
    this.#rejects = rejects;
  }

  /** Forgets a person who is erased in the batch. */
  forget(erasureId: string, identifiers: Iterable<Identifier>): void {
    for (const identifier of identifiers) this.#add(erasureId, identifier);
  }

  /** Remembers the people who had an identifier, with all others that they had; answers whether there were any. */
  remember(identifier: Identifier): boolean {
    const erasures = this.#erasures.get(identifier);
    if (erasures === undefined || erasures.size === 0) return false;
    for (const erasureId of erasures) {
      this.#remembered.add(erasureId);
      for (const others of this.#erasures.values()) others.delete(erasureId);
    }
    return true;
  }

  /** True when nothing may be stored under an identifier. Without the setting, its people are remembered instead. */
  rejects(identifier: Identifier): boolean {
    if (this.#rejects) return this.#isForgotten(identifier);
    this.remember(identifier);
    return false;
  }

  /** True when an item that found no contact names a person who was forgotten: then it says something about them. */
  isNamedBy(item: NamesPerson, primaryKey: string): boolean {
    if (!this.#rejects || this.#erasures.size === 0) return false;
    return this.rejectsAny(identifiersOf(item, primaryKey));
  }

  /** True when one of some identifiers is of a person who was forgotten; nobody is remembered by it. */
  rejectsAny(identifiers: readonly Identifier[]): boolean {
    return this.#rejects && identifiers.some((identifier) => this.#isForgotten(identifier));
  }

  /** The erasures that are undone. */
  get remembered(): ReadonlySet<string> {
    return this.#remembered;
  }

  /** True for nearly every batch. */
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

/** What a contact is known by; absent: as before. */
interface Names {
  readonly key?: string | undefined;
  readonly email?: string | null | undefined;
  readonly mobile?: string | null | undefined;
}

/**
 * The field by which a contact (undefined: a new one) would become somebody whom the account has forgotten; undefined when it may be changed.
 *
 * What it has already counts for nothing: people share addresses, and one of them may have been erased.
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
