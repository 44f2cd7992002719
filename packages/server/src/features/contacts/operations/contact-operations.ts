import type { CreateContactsBody, DeleteContactsBody, UpdateContactsBody } from '@roster/contract';
import type { OperationDefinitions, RequestFacts } from '#pipeline/operations/operation.ts';
import type { SplitItems } from '#pipeline/operations/split-payload.ts';
import { requestOn, type ContactRequest } from '../batch/contact-request.ts';
import { Lookups } from '../model/lookups.ts';
import { peopleInArray, personById } from '../model/people-in-payload.ts';
import { applyCreate, createLookups } from '../rules/create.ts';
import { applyDelete, deleteLookups } from '../rules/delete.ts';
import { applyMove } from '../rules/move.ts';
import { applyUpdate, updateLookups } from '../rules/update.ts';

declare module '#pipeline/operations/payload.ts' {
  interface Payloads {
    'contact.create': CreateContacts;
    'contact.update': UpdateContacts;
    'contact.delete': DeleteContactsBody['data'];
    'contact.blacklist': CreateContacts;
    'contact.block': OneContact;
    'contact.unblock': OneContact;
  }
}

/** The stored payload of a request that creates contacts. */
export type CreateContacts = CreateContactsBody['data'] & {
  /** The account refused existing contacts when the request was accepted. */
  reject_existing?: true;
  /** With `reject_existing`: also refuse a contact that the same request has created. */
  reject_repeated?: true;
};

/** The stored payload of a request that updates contacts. */
export type UpdateContacts = UpdateContactsBody['data'] & {
  /**
   * Applies an item only if its contact still has this `updated_at`, in milliseconds since 1970.
   */
  if_updated_at?: number;
};

interface OneContact {
  readonly contact_id: number;
}

/** The pipeline operations on contacts. */
export const contactOperations = {
  'contact.create': {
    prepare: prepareCreate,
    split: splitContacts(prepareCreate),
    people: peopleInArray('contacts', ({ contact_type }) =>
      contact_type === 'anonymous' ? 'anonymous' : 'linksIdentifiers',
    ),
  },
  'contact.update': {
    prepare: prepareUpdate,
    split: splitContacts(prepareUpdate),
    people: peopleInArray('contacts', () => 'linksIdentifiers'),
  },
  'contact.delete': {
    // The first identifier of an item finds the contact. The others are ignored.
    people: peopleInArray('contacts', () => 'finds'),
    prepare: prepareDelete,
    split: splitContacts(prepareDelete),
  },
  // The older call: a create in which each contact opts out of a channel.
  'contact.blacklist': {
    prepare: prepareCreate,
    split: splitContacts(prepareCreate),
    people: peopleInArray('contacts', () => 'linksIdentifiers'),
  },
  'contact.block': { prepare: (payload, facts) => prepareMove('block', payload, facts), people: personById },
  'contact.unblock': { prepare: (payload, facts) => prepareMove('unblock', payload, facts), people: personById },
} satisfies OperationDefinitions;

/** Prepares a request that creates contacts. */
export function prepareCreate(
  { contact_type: contactType, contacts, reject_existing, reject_repeated }: CreateContacts,
  { index, at }: RequestFacts,
): ContactRequest {
  const rejected = { rejectExisting: reject_existing === true, rejectRepeated: reject_repeated === true };
  const request = { contactType, ...rejected, index, at };
  return {
    ...requestOn(contacts, index),
    lookups: (item, primaryKey, into) => createLookups(request, contacts[item]!, primaryKey, into),
    apply: (item, state, failures) => applyCreate(state, request, contacts[item]!, failures),
  };
}

/** Prepares a request that updates contacts. */
export function prepareUpdate(
  { contact_type: contactType, contacts, if_updated_at: ifUpdatedAt }: UpdateContacts,
  { index, at }: RequestFacts,
): ContactRequest {
  const request = { contactType, at, ifUpdatedAt };
  return {
    ...requestOn(contacts, index),
    lookups: (item, primaryKey, into) => updateLookups(contacts[item]!, primaryKey, into),
    apply: (item, state, failures) => applyUpdate(state, request, contacts[item]!, failures),
  };
}

function prepareDelete({ contacts }: DeleteContactsBody['data'], { index, at }: RequestFacts): ContactRequest {
  return {
    ...requestOn(contacts, index),
    lookups: (item, primaryKey, into) => deleteLookups(contacts[item]!, primaryKey, into),
    apply: (item, state, failures) => applyDelete(state, at, contacts[item]!, failures),
  };
}

/** Splits requests by the keys with which their items look up contacts. */
function splitContacts<Payload extends { readonly contacts: unknown }>(
  prepare: (payload: Payload, facts: RequestFacts) => ContactRequest,
): SplitItems<Payload> {
  return {
    property: 'contacts',
    keysOf(payload, primaryKey) {
      const request = prepare(payload, { index: 0, at: '' });
      const lookups = new Lookups();
      return (item) => {
        lookups.clear();
        request.lookups(item, primaryKey, lookups);
        return lookups.hasOnlyKeys ? lookups.key : undefined;
      };
    },
  };
}

function prepareMove(
  cause: 'block' | 'unblock',
  { contact_id: contactId }: OneContact,
  { index, at }: RequestFacts,
): ContactRequest {
  return {
    ...requestOn([{}], index),
    lookups: (_item, _primaryKey, into) => into.add({ by: 'id', value: contactId }),
    apply: (_item, state, failures) => applyMove(state, at, contactId, cause, failures),
  };
}
