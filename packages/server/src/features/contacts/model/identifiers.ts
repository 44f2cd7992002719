import { anonymousPrefix } from '@roster/contract';
import { comparableEmail } from './contact.ts';
import { contactKey } from './identity.ts';

/** Something that identifies a person, in comparable form, such as `email:asha@example.com`. */
export type Identifier = `${IdentifierKind}:${string}`;

/**
 * The kind of an {@link Identifier}. `identity` is the value of a custom primary key.
 * With the primary key EMAIL or MOBILE, an identity has the kind `email` or `mobile`.
 */
export type IdentifierKind = 'contact_id' | 'identity' | 'email' | 'mobile';

/** The fields of an item that can identify a person. */
export interface IdentifyingFields {
  readonly contact_id?: number | undefined;
  readonly identity?: string | undefined;
  readonly email?: string | null | undefined;
  readonly mobile?: string | null | undefined;
  readonly attributes?: Readonly<Record<string, string | number | boolean | null>> | undefined;
}

/** Returns the kind of the identifiers that contact keys are, by the primary key of the account. */
export function kindOfKey(primaryKey: string): IdentifierKind {
  switch (primaryKey) {
    case 'EMAIL':
      return 'email';
    case 'MOBILE':
      return 'mobile';
    default:
      return 'identity';
  }
}

/** Makes an identifier of a contact key. */
export function keyIdentifier(primaryKey: string, key: string): Identifier {
  return `${kindOfKey(primaryKey)}:${key}`;
}

/** Makes an identifier of an e-mail address. */
export function emailIdentifier(email: string): Identifier {
  return `email:${comparableEmail(email)}`;
}

/** Makes an identifier of a mobile number. */
export function mobileIdentifier(mobile: string): Identifier {
  return `mobile:${mobile}`;
}

/** Returns the values of the identifiers of one kind. */
export function valuesOf(identifiers: Iterable<Identifier>, kind: IdentifierKind): string[] {
  const prefix = `${kind}:`;
  return Array.from(identifiers)
    .filter((identifier) => identifier.startsWith(prefix))
    .map((identifier) => identifier.slice(prefix.length));
}

/**
 * Returns all identifiers in an item, in the order in which they are used to find a contact.
 * An identity that is not a valid value of the primary key is left out.
 */
export function identifiersOf(item: IdentifyingFields, primaryKey: string): Identifier[] {
  const { contact_id: contactId, identity, email, mobile, attributes } = item;
  const found: Identifier[] = [];
  if (contactId !== undefined) found.push(`contact_id:${contactId}`);
  if (identity !== undefined) pushKey(found, primaryKey, identity);
  if (typeof email === 'string') found.push(emailIdentifier(email));
  if (typeof mobile === 'string') found.push(mobileIdentifier(mobile));
  const value = attributes?.[primaryKey];
  if (kindOfKey(primaryKey) === 'identity' && value !== undefined && value !== null) {
    pushKey(found, primaryKey, String(value).trim());
  }
  return found;
}

function pushKey(found: Identifier[], primaryKey: string, identity: string): void {
  const key = contactKey(primaryKey, identity);
  if (key !== undefined) found.push(keyIdentifier(primaryKey, key));
}

/** The identifying fields of a contact. */
export interface KnownContact {
  readonly contactId: number;
  readonly key: string;
  readonly email: string | null;
  readonly mobile: string | null;
}

/** Returns all identifiers of a contact: contact_id, identity, e-mail and mobile. */
export function identifiersOfContact(primaryKey: string, contact: KnownContact): Identifier[] {
  const { contactId, key, email, mobile } = contact;
  return [
    `contact_id:${contactId}`,
    ...(key.startsWith(anonymousPrefix) ? [] : [keyIdentifier(primaryKey, key)]),
    ...(email === null ? [] : [emailIdentifier(email)]),
    ...(mobile === null ? [] : [mobileIdentifier(mobile)]),
  ];
}
