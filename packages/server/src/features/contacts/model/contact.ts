import { anonymousPrefix, type ContactType, type OptOutChannel } from '@roster/contract';
import type { StoredValue } from '#features/registry/registry.ts';

/** What is stored of a contact, as the pipeline works on it in memory. */
export interface Contact {
  /** The identity in its comparable form, or `anonymous/<uuid>`. */
  key: string;
  /** Number in its account; 0 until all items of the batch that creates the contact are applied. */
  id: number;
  type: ContactType;
  /** Blacklisted contacts: the type to return to. */
  typeBeforeBlacklisting: ContactType | null;
  email: string | null;
  mobile: string | null;
  /** Stored values by attribute key. */
  attributes: Record<string, StoredValue>;
  /** Sorted, without duplicates. */
  listIds: readonly number[];
  optedOut: Readonly<Record<OptOutChannel, boolean>>;
  /** When the contact came back to channels that it had opted out of, or to e-mail because an operator unblocked it (RFC 3339); null for most. */
  optedInAt: Readonly<Partial<Record<OptOutChannel, string>>> | null;
  /** RFC 3339 text. */
  readonly createdAt: string;
  /** When a request of this batch changed the contact; null before. */
  updatedAt: string | null;
  /** What is in the database; null for a contact that is not there yet. */
  readonly stored: StoredContact | null;
  /** The request of this batch (its index) that created the contact; null for one that was there before. */
  readonly createdBy: number | null;
  /** The contact differs from what is in the database. */
  changed: boolean;
  /** The contact was deleted by a request of this batch. */
  deleted: boolean;
}

/** The columns of a contact in the database that most batches leave as they are; its attributes are not kept twice. */
export type StoredContact = Readonly<
  Pick<Contact, 'key' | 'type' | 'typeBeforeBlacklisting' | 'email' | 'mobile' | 'listIds' | 'optedOut' | 'optedInAt'>
>;

/** The comparable form of an e-mail address: its index and every look-up use it. */
export function comparableEmail(email: string): string {
  return email.toLowerCase();
}

/** True when the contact has an identity. */
export function hasIdentity(contact: Pick<Contact, 'key'>): boolean {
  return !contact.key.startsWith(anonymousPrefix);
}
