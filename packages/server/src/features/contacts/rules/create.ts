import { fail, type ItemFailure, type Outcome } from '#pipeline/operations/item-result.ts';
import type { RequestFacts } from '#pipeline/operations/operation.ts';
import { anonymousPrefix, type CreateContactsBody } from '@roster/contract';
import type { BatchState } from '../batch/batch-state.ts';
import type { Contact } from '../model/contact.ts';
import { setType, typeState } from '../model/contact-type-moves.ts';
import { forgottenField } from '../forgotten/forgotten-people.ts';
import { contactKey } from '../model/identity.ts';
import { addDefaults, changeLists, mergeAttributes, touch } from './merge.ts';
import type { Lookups } from '../model/lookups.ts';
import { moveBySubscriptions, setSubscriptions } from '../model/subscriptions.ts';

type CreateContact = CreateContactsBody['data']['contacts'][number] & {
  /** The sign-up date of a new contact, RFC 3339. Only imports can set it. */
  readonly created_at?: string | undefined;
};

/** The data that the items of one create request share. */
export interface CreateRequest extends RequestFacts {
  readonly contactType: 'identified' | 'anonymous' | 'unconfirmed';
  readonly rejectExisting: boolean;
  /** With {@link rejectExisting}: also rejects contacts that this request created. */
  readonly rejectRepeated?: boolean;
}

/** Adds the look-up that an item needs. */
export function createLookups(request: CreateRequest, item: CreateContact, primaryKey: string, into: Lookups): void {
  if (request.contactType === 'anonymous') return;
  const key = contactKey(primaryKey, item.identity!);
  if (key !== undefined) into.key.add(key);
}

/** Creates one contact, or merges the item into the contact that has the identity. */
export function applyCreate(
  state: BatchState,
  request: CreateRequest,
  item: CreateContact,
  failures: ItemFailure[],
): Outcome {
  const { primaryKey, customPrimaryKey } = state.registry;
  const attributes = item.attributes ?? {};
  let key: string | undefined;
  if (request.contactType === 'anonymous') {
    key = `${anonymousPrefix}${state.newId()}`;
    if (customPrimaryKey !== undefined && customPrimaryKey in attributes) {
      failures.push({ code: 'identity_ignored', field: `attributes.${customPrimaryKey}` });
    }
  } else {
    key = contactKey(primaryKey, item.identity!);
    if (key === undefined) return fail(failures, { code: 'identity_invalid', field: 'identity' });
    // Some clients send null for "not given": the identity then fills the field.
    const differing = fieldThatDiffers(item, key, primaryKey, { nullDiffers: false });
    if (differing !== undefined) return fail(failures, { code: 'identity_mismatch', field: differing });
  }

  const existing = state.contacts.byKey(key);
  const mayRepeat = request.rejectRepeated !== true && existing?.createdBy === request.index;
  if (existing !== undefined && request.rejectExisting && !mayRepeat) {
    return fail(failures, { code: 'contact_exists', field: 'identity' });
  }
  const names = { key, email: item.email, mobile: item.mobile };
  const field = forgottenField(state.forgotten, primaryKey, existing, names);
  if (field !== undefined) return fail(failures, { code: 'contact_forgotten', field });
  const contact = existing ?? newContact(key, request, item.created_at);
  if (existing === undefined) {
    // Counts only the defaults. The item itself was counted when its request was read.
    state.contacts.admit(state.registry.defaultsLength);
    state.contacts.add(contact);
  }
  state.history.touch(contact);

  let changed = mergeAttributes(state, contact, attributes, failures);
  // Add the defaults last. If there is not enough room, the given values take precedence.
  if (existing === undefined) addDefaults(state, contact, attributes, failures);
  const email =
    primaryKey === 'EMAIL' && request.contactType !== 'anonymous'
      ? (item.email ?? contact.email ?? item.identity!)
      : item.email;
  if (email !== undefined && email !== contact.email) {
    state.contacts.setEmail(contact, email);
    changed = true;
  }
  const mobile = primaryKey === 'MOBILE' && request.contactType !== 'anonymous' ? key : item.mobile;
  if (mobile !== undefined && mobile !== contact.mobile) {
    state.contacts.setMobile(contact, mobile);
    changed = true;
  }
  changed = setType(contact, moveBySubscriptions(typeState(contact), item.subscriptions)) || changed;
  changed = setSubscriptions(contact, item.subscriptions, request.at) || changed;
  if (item.audience_details !== undefined)
    changed = changeLists(state, contact, item.audience_details, failures) || changed;
  if (existing === undefined) state.awaitedOptOuts.apply(contact, item.subscriptions, request.at);
  if (existing !== undefined) return touch(state, contact, changed, request.at);
  state.counts.created(contact);
  return 'created';
}

function newContact(key: string, request: CreateRequest, createdAt = request.at): Contact {
  return {
    key,
    id: 0,
    type: request.contactType,
    typeBeforeBlacklisting: null,
    email: null,
    mobile: null,
    attributes: {},
    listIds: [],
    optedOut: { email: false, sms: false, whatsapp: false },
    optedInAt: null,
    createdAt,
    updatedAt: request.at,
    storedUpdatedAt: null,
    stored: null,
    createdBy: request.index,
    changed: true,
    counted: null,
    deleted: false,
    erased: false,
  };
}

/** Returns the field whose value for the primary key differs from the identity, or undefined. */
export function fieldThatDiffers(
  item: Pick<CreateContact, 'email' | 'mobile' | 'attributes'>,
  key: string,
  primaryKey: string,
  { nullDiffers }: { readonly nullDiffers: boolean },
): string | undefined {
  const builtIn = primaryKey === 'EMAIL' || primaryKey === 'MOBILE';
  const field = builtIn ? (primaryKey.toLowerCase() as 'email' | 'mobile') : `attributes.${primaryKey}`;
  const value = builtIn ? item[field as 'email' | 'mobile'] : item.attributes?.[primaryKey];
  if (value === undefined) return undefined;
  if (value === null) return nullDiffers ? field : undefined;
  return contactKey(primaryKey, String(value).trim()) === key ? undefined : field;
}
