import type { ItemFailure } from '#pipeline/operations/item-result.ts';
import { attributesPerBatchContact, Faults, IdentifiedContact, readerOf, upperCaseName } from '@roster/contract';
import type { Payloads } from '#pipeline/operations/payload.ts';

type Translated = Pick<Payloads['contact.batch-add'], 'contacts' | 'refused'>;

const readContact = readerOf(IdentifiedContact);

/**
 * Translates the contacts of a batch into contacts of a create request:
 * - the value of the primary key becomes the identity
 * - `EMAIL` and `MOBILE` become fields
 * - all other values become attributes
 * - each contact is added to the list
 *
 * An invalid contact is replaced by an empty contact, and `refused` contains its failure.
 */
export function translateContacts(data: readonly unknown[], listId: number, primaryKey: string): Translated {
  const audience_details = [{ audience_id: [listId] }];
  const refused: Record<number, ItemFailure> = {};
  const contacts = data.map((item, index) => {
    const contact = translateContact(item, primaryKey, attributesPerBatchContact);
    if (!('code' in contact)) return { ...contact, audience_details };
    refused[index] = contact;
    return {};
  });
  return { contacts, refused };
}

/** Translates one contact, as {@link translateContacts} does. Returns the failure of an invalid one. */
export function translateContact(
  item: unknown,
  primaryKey: string,
  mostAttributes = Number.POSITIVE_INFINITY,
): IdentifiedContact | ItemFailure {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return { code: 'contact_invalid', message: 'The contact must be an object of attribute names and values.' };
  }
  const values = valuesOf(item as Readonly<Record<string, unknown>>);
  const take = (name: string): unknown => {
    const value = values.get(name);
    values.delete(name);
    return value;
  };
  const identity = take(primaryKey);
  const email = take('EMAIL');
  const mobile = take('MOBILE');
  if (identity === undefined || identity === null) return { code: 'identity_missing', field: 'identity' };
  if (values.size > mostAttributes) return { code: 'too_many_attributes' };
  const attributes = values.size === 0 ? undefined : Object.fromEntries(values);
  const faults = new Faults(1);
  const contact = readContact({ identity, email, mobile, attributes }, faults);
  const fault = faults.list[0];
  return fault === undefined ? contact : { code: 'contact_invalid', field: fault.field, message: fault.message };
}

/**
 * Returns the values of a contact by upper-case names. If a name has several spellings, the value
 * of the upper-case spelling is used.
 */
function valuesOf(item: Readonly<Record<string, unknown>>): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [key, value] of Object.entries(item)) {
    const name = upperCaseName(key.trim());
    if (key === name || !Object.hasOwn(item, name)) values.set(name, isCleared(value) ? null : value);
  }
  return values;
}

/** Callers write null as the text `null` or as a blank text. */
function isCleared(value: unknown): boolean {
  return typeof value === 'string' && (value === 'null' || value.trim() === '');
}
