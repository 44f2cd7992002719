import { anonymousPrefix } from '@roster/contract';
import { comparableEmail } from './contact.ts';
import { contactKey } from './identity.ts';

/** Something that a person is known by in an account, in its comparable form, such as `email:asha@example.com`. */
export type Identifier = `${IdentifierKind}:${string}`;

/** What an {@link Identifier} is. `identity` stands for the value of a custom primary key; `EMAIL` and `MOBILE` are what they are. */
export type IdentifierKind = 'contact_id' | 'identity' | 'email' | 'mobile';

/** The fields by which items of requests name people. */
export interface NamesPerson {
  readonly contact_id?: number | undefined;
  readonly identity?: string | undefined;
  readonly email?: string | null | undefined;
  readonly mobile?: string | null | undefined;
  readonly attributes?: Readonly<Record<string, string | number | boolean | null>> | undefined;
}

/** What kind of identifier the keys of an account's contacts are. */
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

/** The identifier that a contact key is. */
export function keyIdentifier(primaryKey: string, key: string): Identifier {
  return `${kindOfKey(primaryKey)}:${key}`;
}

/** The identifier that a contact_id is. */
export function idIdentifier(contactId: number): Identifier {
  return `contact_id:${contactId}`;
}

/** The identifier that an address is. */
export function emailIdentifier(email: string): Identifier {
  return `email:${comparableEmail(email)}`;
}

/** The identifier that a mobile number is. */
export function mobileIdentifier(mobile: string): Identifier {
  return `mobile:${mobile}`;
}

/** The values of identifiers of one kind. */
export function valuesOf(identifiers: Iterable<Identifier>, kind: IdentifierKind): string[] {
  const prefix = `${kind}:`;
  return Array.from(identifiers)
    .filter((identifier) => identifier.startsWith(prefix))
    .map((identifier) => identifier.slice(prefix.length));
}

/**
 * All that an item names a person by, in the order in which the fields find a contact. An identity that has not the form of
 * the primary key is nobody's.
 */
export function identifiersOf(item: NamesPerson, primaryKey: string): Identifier[] {
  const { contact_id: contactId, identity, email, mobile, attributes } = item;
  const found: Identifier[] = [];
  if (contactId !== undefined) found.push(idIdentifier(contactId));
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

/** What of a contact a person is known by. */
export interface KnownContact {
  readonly contactId: number;
  readonly key: string;
  readonly email: string | null;
  readonly mobile: string | null;
}

/** What a contact is known by: its number, its identity, its addresses. */
export function identifiersOfContact(primaryKey: string, contact: KnownContact): Identifier[] {
  const { contactId, key, email, mobile } = contact;
  return [
    idIdentifier(contactId),
    ...(key.startsWith(anonymousPrefix) ? [] : [keyIdentifier(primaryKey, key)]),
    ...(email === null ? [] : [emailIdentifier(email)]),
    ...(mobile === null ? [] : [mobileIdentifier(mobile)]),
  ];
}
