import { fail, type ItemFailure, type Outcome } from '#pipeline/operations/item-result.ts';
import { anonymousPrefix, type UpdateContactsBody } from '@roster/contract';
import { fieldThatDiffers } from './create.ts';
import type { BatchState } from '../batch/batch-state.ts';
import { comparableEmail, hasIdentity, type Contact } from '../model/contact.ts';
import { move, setType, typeState, type TypeState } from '../model/contact-type-moves.ts';
import { forgottenField } from '../forgotten/forgotten-people.ts';
import { contactKey } from '../model/identity.ts';
import { changeLists, mergeAttributes, touch } from './merge.ts';
import { isUnchangedSince } from '../model/updated-at.ts';
import type { Lookup, Lookups } from '../model/lookups.ts';
import { moveBySubscriptions, setSubscriptions } from '../model/subscriptions.ts';

type UpdateContact = UpdateContactsBody['data']['contacts'][number];

/** The fields that can name a contact. The first present one of this order is used. */
export type Identifiers = Pick<UpdateContact, 'contact_id' | 'identity'> & {
  readonly email?: string | null | undefined;
  readonly mobile?: string | null | undefined;
};

/** The field that finds the contact of an item. */
type Finder = 'contact_id' | 'identity' | 'email' | 'mobile';

/** Undefined when the item has none of the fields; the check of the body refuses such items. */
function finderOf(item: Identifiers): Finder | undefined {
  if (item.contact_id !== undefined) return 'contact_id';
  if (item.identity !== undefined) return 'identity';
  if (typeof item.email === 'string') return 'email';
  return typeof item.mobile === 'string' ? 'mobile' : undefined;
}

/** The look-up for the contact of an item; undefined when the identity cannot be a primary key. */
export function finderLookup(item: Identifiers, primaryKey: string): Lookup | undefined {
  switch (finderOf(item)) {
    case 'contact_id':
      return { by: 'id', value: item.contact_id! };
    case 'identity': {
      const key = contactKey(primaryKey, item.identity!);
      return key === undefined ? undefined : { by: 'key', value: key };
    }
    case 'email':
      return { by: 'email', value: comparableEmail(item.email!) };
    case 'mobile':
      return { by: 'mobile', value: item.mobile! };
    case undefined:
      return undefined;
  }
}

/** Returns the contact that an item names, or why the item fails. */
export function findContact(state: BatchState, item: Identifiers): Contact | ItemFailure {
  const lookup = finderLookup(item, state.registry.primaryKey);
  const found = lookup === undefined ? [] : state.contacts.find(lookup);
  const field = finderOf(item) ?? 'contact_id';
  if (found.length === 1) return found[0]!;
  if (found.length > 1) return { code: 'contact_ambiguous', field };
  const isForgotten = state.forgotten.isNamedBy(item, state.registry.primaryKey);
  return { code: isForgotten ? 'contact_forgotten' : 'contact_not_found', field };
}

/** The data that the items of one update request share. */
export interface UpdateRequest {
  readonly contactType: UpdateContactsBody['data']['contact_type'];
  /** When the request was accepted, RFC 3339. */
  readonly at: string;
  /** Changes a contact only if this is still its `updated_at`, in milliseconds since 1970. */
  readonly ifUpdatedAt?: number | undefined;
}

/** Adds the look-ups of an item: its contact, and the contact that already has the new identity. */
export function updateLookups(item: UpdateContact, primaryKey: string, into: Lookups): void {
  const finder = finderLookup(item, primaryKey);
  if (finder !== undefined) into.add(finder);
  const identity = newIdentity(item, primaryKey);
  const key = identity === undefined ? undefined : contactKey(primaryKey, identity);
  if (key !== undefined) into.key.add(key);
}

/**
 * Returns the new identity in an item, from `identity` or from the field of the primary key.
 * The field that finds the contact has the present value, so it is never the new identity.
 */
function newIdentity(item: UpdateContact, primaryKey: string): string | undefined {
  const finder = finderOf(item);
  if (finder !== 'identity' && item.identity !== undefined) return item.identity;
  switch (primaryKey) {
    case 'EMAIL':
      return finder === 'email' ? undefined : (item.email ?? undefined);
    case 'MOBILE':
      return finder === 'mobile' ? undefined : (item.mobile ?? undefined);
    default: {
      const value = item.attributes?.[primaryKey];
      return value === undefined || value === null ? undefined : String(value).trim();
    }
  }
}

/** Updates one contact. An item that fails changes nothing. */
export function applyUpdate(
  state: BatchState,
  request: UpdateRequest,
  item: UpdateContact,
  failures: ItemFailure[],
): Outcome {
  const contact = findContact(state, item);
  if ('code' in contact) return fail(failures, contact);
  state.history.touch(contact);
  if (request.ifUpdatedAt !== undefined && !isUnchangedSince(contact, request.ifUpdatedAt)) {
    return fail(failures, { code: 'contact_changed' });
  }
  const keyBefore = contact.key;
  const key = keyAfter(state, contact, item);
  if (typeof key !== 'string') return fail(failures, key);
  const finder = finderOf(item);
  const names = {
    key,
    email: finder === 'email' ? undefined : item.email,
    mobile: finder === 'mobile' ? undefined : item.mobile,
  };
  const field = forgottenField(state.forgotten, state.registry.primaryKey, contact, names);
  if (field !== undefined) return fail(failures, { code: 'contact_forgotten', field });
  const types = typesAfter(contact, key, item);
  if (request.contactType !== undefined && request.contactType !== types.type) {
    return fail(failures, { code: 'contact_type_refused', field: 'contact_type' });
  }

  const { primaryKey } = state.registry;
  let changed = mergeAttributes(state, contact, item.attributes ?? {}, failures);
  if (newIdentity(item, primaryKey) !== undefined && isMasked(state, primaryKey)) changed = true;
  if (key !== keyBefore) {
    state.formerKeys.giveUp(contact, request.at);
    state.keyChanged(keyBefore, key);
    state.contacts.setKey(contact, key);
    changed = true;
  }
  // If EMAIL or MOBILE is the primary key, that field and `identity` are one value. Each sets both.
  const identified = hasIdentity(contact);
  const email =
    item.email ??
    (primaryKey === 'EMAIL' && identified && finder !== 'identity' ? (item.identity ?? item.email) : item.email);
  if (email !== undefined && finder !== 'email' && email !== contact.email) {
    state.contacts.setEmail(contact, email);
    changed = true;
  }
  const mobile = primaryKey === 'MOBILE' && identified ? key : item.mobile;
  if (mobile !== undefined && finder !== 'mobile' && mobile !== contact.mobile) {
    state.contacts.setMobile(contact, mobile);
    changed = true;
  }
  changed = setType(contact, types) || changed;
  changed = setSubscriptions(contact, item.subscriptions, request.at) || changed;
  if (key !== keyBefore) state.awaitedOptOuts.apply(contact, item.subscriptions, request.at);
  if (item.audience_details !== undefined)
    changed = changeLists(state, contact, item.audience_details, failures) || changed;
  return touch(state, contact, changed, request.at);
}

/**
 * True when the identities of the account are masked. Then every given identity counts as a change,
 * so that the result does not show whether a guess is right.
 */
function isMasked({ registry }: BatchState, primaryKey: string): boolean {
  return (registry.find(primaryKey)?.dataMasking ?? 'none') !== 'none';
}

/**
 * Returns the contact key after the item, or why the item fails.
 * An anonymous contact gets an identity only by `identity` or a custom primary key, not by its
 * email or mobile.
 */
function keyAfter(state: BatchState, contact: Contact, item: UpdateContact): string | ItemFailure {
  const { primaryKey } = state.registry;
  const finder = finderOf(item);
  const identity = finder === 'identity' ? undefined : item.identity;
  let key = contact.key;
  if (identity !== undefined) {
    const given = contactKey(primaryKey, identity);
    if (given === undefined) return { code: 'identity_invalid', field: 'identity' };
    key = given;
  } else if (hasIdentity(contact) || (primaryKey !== 'EMAIL' && primaryKey !== 'MOBILE')) {
    const given = newIdentity(item, primaryKey);
    if (given !== undefined) {
      const changed = finder === 'identity' ? contact.key : contactKey(primaryKey, given);
      if (changed === undefined || changed === '') return { code: 'identity_invalid', field: fieldOf(primaryKey) };
      key = changed;
    }
  }
  if (key !== contact.key && state.contacts.byKey(key) !== undefined)
    return { code: 'identity_taken', field: 'identity' };
  const identified = !key.startsWith(anonymousPrefix);
  if (identified) {
    // The field that finds the contact has its present value, which may differ from the new key.
    const given = { ...item, ...(finder === 'email' || finder === 'mobile' ? { [finder]: undefined } : {}) };
    const differing = fieldThatDiffers(given, key, primaryKey, { nullDiffers: true });
    if (differing !== undefined) return { code: 'identity_mismatch', field: differing };
  }
  return key;
}

function fieldOf(primaryKey: string): string {
  if (primaryKey === 'EMAIL') return 'email';
  return primaryKey === 'MOBILE' ? 'mobile' : `attributes.${primaryKey}`;
}

/** The type after the item: first a new identity can change it, then the subscriptions. */
function typesAfter(contact: Contact, key: string, { subscriptions }: UpdateContact): TypeState {
  const state = typeState(contact);
  const identified = !hasIdentity(contact) && key !== contact.key ? move(state, 'identity') : state;
  return moveBySubscriptions(identified, subscriptions);
}
