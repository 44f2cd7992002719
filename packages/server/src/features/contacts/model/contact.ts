import { anonymousPrefix, type ContactType, type OptOutChannel } from '@roster/contract';
import type { StoredValue } from '#features/registry/registry.ts';

/** A contact in memory, while the pipeline applies a batch. */
export interface Contact {
  /** The identity in its comparable form, or `anonymous/<uuid>`. */
  key: string;
  /** The contact_id. A new contact has 0 until all items of its batch are applied. */
  id: number;
  type: ContactType;
  /** The type to return to from the blacklist. Null when the contact is not blacklisted. */
  typeBeforeBlacklisting: ContactType | null;
  email: string | null;
  mobile: string | null;
  /** Stored values by attribute key. */
  attributes: Record<string, StoredValue>;
  /** Sorted, without duplicates. */
  listIds: readonly number[];
  optedOut: Readonly<Record<OptOutChannel, boolean>>;
  /**
   * When the contact opted in again, by channel (RFC 3339). Null when it never did.
   * Unblocking by an operator counts as an opt-in to e-mail.
   */
  optedInAt: Readonly<Partial<Record<OptOutChannel, string>>> | null;
  /** RFC 3339 text. */
  readonly createdAt: string;
  /** When a request of this batch changed the contact; null before. */
  updatedAt: string | null;
  /** `updated_at` of the database as text in UTC. Null for a new contact. */
  readonly storedUpdatedAt: string | null;
  /** The contact as the database has it. Null for a new contact. */
  readonly stored: StoredContact | null;
  /** Index of the request in this batch that created the contact. Null for an older contact. */
  readonly createdBy: number | null;
  /** True when the contact differs from the database. */
  changed: boolean;
  /** The state in which the statistics count the contact. Null until the batch changes it. */
  counted: number | null;
  /** True when a request of this batch deleted the contact. */
  deleted: boolean;
  /** True when it was deleted because the person is erased. */
  erased: boolean;
}

/**
 * The stored columns of a contact. Comparing them with the contact shows which columns an update
 * must write. Attributes are left out to save memory.
 */
export type StoredContact = Readonly<
  Pick<Contact, 'key' | 'type' | 'typeBeforeBlacklisting' | 'email' | 'mobile' | 'listIds' | 'optedOut' | 'optedInAt'>
>;

/** Returns the comparable form of an e-mail address, which the database index also uses. */
export function comparableEmail(email: string): string {
  return email.toLowerCase();
}

/** True when the contact has an identity. */
export function hasIdentity(contact: Pick<Contact, 'key'>): boolean {
  return !contact.key.startsWith(anonymousPrefix);
}
