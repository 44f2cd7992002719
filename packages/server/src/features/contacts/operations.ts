import type { CreateContactsBody, DeleteContactsBody, UpdateContactsBody } from '@roster/contract';
import type { OperationDefinitions, RequestFacts } from '#pipeline/operations/operation.ts';
import { requestOn, type ContactRequest } from './batch/contact-request.ts';
import { byNumber, many } from './model/people-in-payload.ts';
import { applyCreate, createLookups } from './rules/create.ts';
import { applyDelete, deleteLookups } from './rules/delete.ts';
import { applyMove } from './rules/move.ts';
import { applyUpdate, updateLookups } from './rules/update.ts';

declare module '#pipeline/operations/payload.ts' {
  interface Payloads {
    'contact.create': CreateContacts;
    'contact.update': UpdateContactsBody['data'];
    'contact.delete': DeleteContactsBody['data'];
    'contact.block': OneContact;
    'contact.unblock': OneContact;
  }
}

/** What is stored of a request that creates contacts. */
export type CreateContacts = CreateContactsBody['data'] & {
  /** The account refused existing contacts when the request was accepted. */
  reject_existing?: true;
  /** Together with `reject_existing`: a contact that the request itself has created exists, too. */
  reject_repeated?: true;
};

interface OneContact {
  readonly contact_id: number;
}

/** The asynchronous operations on contacts. */
export const contactOperations: OperationDefinitions = {
  'contact.create': {
    prepare: prepareCreate,
    people: many('contacts', ({ contact_type }) => (contact_type === 'anonymous' ? 'anonymous' : 'teaches')),
  },
  'contact.update': { prepare: prepareUpdate, people: many('contacts', () => 'teaches') },
  'contact.delete': {
    // The first of several identifiers finds the contact, and nobody looks at the others.
    people: many('contacts', () => 'finds'),
    prepare: ({ contacts }, { index, at }): ContactRequest => ({
      ...requestOn(contacts, index),
      lookups: (item, primaryKey, into) => deleteLookups(contacts[item]!, primaryKey, into),
      apply: (item, state, failures) => applyDelete(state, at, contacts[item]!, failures),
    }),
  },
  'contact.block': { prepare: (payload, facts) => prepareMove('block', payload, facts), people: byNumber },
  'contact.unblock': { prepare: (payload, facts) => prepareMove('unblock', payload, facts), people: byNumber },
};

/** Prepares a request that creates contacts. */
export function prepareCreate(
  { contact_type: contactType, contacts, reject_existing, reject_repeated }: CreateContacts,
  { index, at }: RequestFacts,
): ContactRequest {
  const rejected = { rejectExisting: reject_existing === true, rejectRepeated: reject_repeated === true };
  const request = { contactType, ...rejected, at, request: index };
  return {
    ...requestOn(contacts, index),
    lookups: (item, primaryKey, into) => createLookups(request, contacts[item]!, primaryKey, into),
    apply: (item, state, failures) => applyCreate(state, request, contacts[item]!, failures),
  };
}

/** Prepares a request that updates contacts. */
export function prepareUpdate(
  { contact_type: contactType, contacts }: UpdateContactsBody['data'],
  { index, at }: RequestFacts,
): ContactRequest {
  const request = { contactType, at };
  return {
    ...requestOn(contacts, index),
    lookups: (item, primaryKey, into) => updateLookups(contacts[item]!, primaryKey, into),
    apply: (item, state, failures) => applyUpdate(state, request, contacts[item]!, failures),
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
