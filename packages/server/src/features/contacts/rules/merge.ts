import type { ItemFailure } from '#pipeline/operations/item-result.ts';
import { characters, longTextPerContact, shownKey, type DataType } from '@roster/contract';
import { derivedFields } from '#features/registry/derived/derived-fields.ts';
import { coerce, isInexactText, textMaxLength } from '#features/registry/coerce.ts';
import { looksMasked, mask } from '#features/registry/masking.ts';
import type { StoredValue } from '#features/registry/registry.ts';
import type { BatchState } from '../batch/batch-state.ts';
import type { Contact } from '../model/contact.ts';
import { updatedAtAfter } from '../model/updated-at.ts';

/** Attribute values in a request. Null clears a value. */
export type GivenAttributes = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Merges attribute values into a contact. A value that is refused is left out and recorded.
 * Returns true when the contact counts as changed.
 * A value for a masked attribute always counts as a change (docs/decisions/0020-masks.md).
 */
export function mergeAttributes(
  state: BatchState,
  contact: Contact,
  given: GivenAttributes,
  failures: ItemFailure[],
): boolean {
  const { registry, counts } = state;
  let changed = false;
  for (const name of Object.keys(given)) {
    // This value is the identity. The caller has compared the two.
    if (name === registry.customPrimaryKey) continue;
    const value = given[name]!;
    let attribute = registry.find(name);
    if (attribute === undefined) {
      if (derivedFields.has(name.toLowerCase())) {
        failures.push({ code: 'attribute_derived', field: attributeField(name) });
        continue;
      }
      if (value === null || !registry.autoCreate) {
        failures.push({ code: 'attribute_unknown', field: attributeField(name) });
        continue;
      }
      const dataType = inferDataType(value);
      // A value that no data type can hold must not create an attribute. Neither must a number that
      // has lost its last digits: it may be a code, whose attribute is a text.
      if (coerce(dataType, value) === undefined || isInexactText('text', value)) {
        failures.push(mismatch('text', name, value));
        continue;
      }
      const created = registry.create(name, dataType);
      if (typeof created === 'string') {
        failures.push({ code: created, field: attributeField(name) });
        continue;
      }
      attribute = created;
    }
    // Always counts as a change. Otherwise `updated_at` and the counts would confirm a right guess.
    if (attribute.dataMasking !== 'none') changed = true;
    if (value === null) {
      if (attribute.key in contact.attributes) {
        delete contact.attributes[attribute.key];
        counts.filled(attribute.id, -1);
        changed = true;
      }
      continue;
    }
    const before = contact.attributes[attribute.key];
    // The caller has read the mask, and sends it back. Making the mask of each stored value would take
    // longer than looking at what is sent.
    const isMasked = attribute.dataMasking !== 'none' && looksMasked(value);
    if (isMasked && value === mask(attribute.dataMasking, before)) {
      failures.push({ code: 'value_masked', field: attributeField(name) });
      continue;
    }
    const stored = coerce(attribute.dataType, value);
    if (stored === undefined) failures.push(mismatch(attribute.dataType, name, value));
    else if (before === stored) continue;
    else if (!hasRoomFor(contact, attribute.key, stored)) {
      failures.push({ code: 'contact_too_large', field: attributeField(name) });
    } else {
      contact.attributes[attribute.key] = stored;
      if (before === undefined) counts.filled(attribute.id, 1);
      changed = true;
    }
  }
  return changed;
}

/** The failure for a value that does not fit its data type. */
function mismatch(dataType: DataType, name: string, value: string | number | boolean): ItemFailure {
  const failure = { code: 'attribute_type_mismatch', field: attributeField(name) } as const;
  return isInexactText(dataType, value) ? { ...failure, message: tooManyDigits } : failure;
}

const tooManyDigits = 'The number has too many digits to be read exactly, so it was left out. Send it as a string.';

/** The path of an attribute in an item. Shortens names, because invalid ones can be very long. */
function attributeField(name: string): string {
  return `attributes.${shownKey(name)}`;
}

/** Gives a new contact the default values of attributes that the item lacks, if there is room. */
export function addDefaults(
  { registry, counts }: BatchState,
  contact: Contact,
  given: GivenAttributes,
  failures: ItemFailure[],
): void {
  for (const { attribute, value } of registry.defaults) {
    const { id, key, name, mapping } = attribute;
    if (name in given || (mapping !== null && mapping in given)) continue;
    if (hasRoomFor(contact, key, value)) {
      contact.attributes[key] = value;
      counts.filled(id, 1);
    } else failures.push({ code: 'contact_too_large', field: attributeField(name) });
  }
}

/** True when a value fits into a contact, or is not longer than the value that it replaces. */
function hasRoomFor({ attributes }: Contact, key: string, value: StoredValue): boolean {
  // Nearly every value is short. An account has at most 500 attributes, so short values always fit.
  if (typeof value !== 'string' || value.length <= textMaxLength.text) return true;
  const texts = Object.entries(attributes).flatMap(([other, text]) =>
    other !== key && typeof text === 'string' ? [text] : [],
  );
  const before = attributes[key];
  if (typeof before === 'string' && value.length <= before.length) return true;
  const sum = (lengthOf: (text: string) => number) =>
    texts.reduce((all, text) => all + lengthOf(text), lengthOf(value));
  return sum((text) => text.length) <= longTextPerContact || sum(characters) <= longTextPerContact;
}

/** Returns the data type for a new attribute by its first value (`auto_create_attributes`). */
function inferDataType(value: string | number | boolean): DataType {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return coerce('text', value) === undefined ? 'long_text' : 'text';
}

/** A change of memberships that a request asks for. */
export interface ListChange {
  readonly audience_id: readonly number[];
  readonly action?: 'add' | 'remove' | undefined;
}

/**
 * Adds a contact to lists and removes it from lists, in order. Returns true when it changed.
 * Skips unknown lists. Adds one failure for each change that names at least one of them.
 */
export function changeLists(
  state: BatchState,
  contact: Contact,
  changes: readonly ListChange[],
  failures: ItemFailure[],
): boolean {
  const members = new Set(contact.listIds);
  for (const [index, { audience_id: listIds, action }] of changes.entries()) {
    let allExist = true;
    for (const listId of listIds) {
      const exists = state.lists.has(listId);
      if (action === 'remove') members.delete(listId);
      else if (exists) members.add(listId);
      allExist &&= exists;
    }
    if (!allExist) failures.push({ code: 'list_unknown', field: `audience_details[${index}].audience_id` });
  }
  const before = contact.listIds;
  if (members.size === before.length && before.every((listId) => members.has(listId))) return false;
  contact.listIds = [...members].sort((a, b) => a - b);
  return true;
}

/** Marks a contact as changed at the time of a request. Returns the outcome of the item. */
export function touch(
  { counts }: Pick<BatchState, 'counts'>,
  contact: Contact,
  changed: boolean,
  at: string,
): 'updated' | 'unchanged' {
  if (!changed) return 'unchanged';
  contact.changed = true;
  contact.updatedAt = updatedAtAfter(contact.storedUpdatedAt, at);
  counts.changed(contact, at);
  return 'updated';
}
