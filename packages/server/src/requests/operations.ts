import type { BatchState, ItemFailure, Outcome } from '../contacts/batch-state.ts';
import { applyCreate, createLookups } from '../contacts/create.ts';
import type { Lookups } from '../contacts/lookups.ts';
import { applyDelete, deleteLookups } from '../contacts/remove.ts';
import { applyUpdate, updateLookups } from '../contacts/update.ts';
import type { Operation, Payloads } from './payload.ts';

/** One accepted request, ready to be applied item by item. */
export interface PreparedRequest {
  /** Index of the request in its batch. */
  readonly index: number;
  /** Number of items. */
  readonly size: number;
  /** Adds the look-ups of contacts that an item needs. */
  lookups(item: number, primaryKey: string, into: Lookups): void;
  /** Adds the lists that an item names. */
  listIds(item: number, into: Set<number>): void;
  /** Applies an item to the state in memory; adds why it, or parts of it, could not be. */
  apply(item: number, state: BatchState, failures: ItemFailure[]): Outcome;
}

/** One item of a request of a batch. */
export interface BatchItem {
  readonly request: PreparedRequest;
  readonly index: number;
}

/** Prepares a request; `at` is when it was accepted (RFC 3339). */
export function prepareRequest<O extends Operation>(
  operation: O,
  payload: Payloads[O],
  index: number,
  at: string,
): PreparedRequest {
  const prepare = operations[operation] as (payload: Payloads[O], index: number, at: string) => PreparedRequest;
  return prepare(payload, index, at);
}

type Prepare<O extends Operation> = (payload: Payloads[O], index: number, at: string) => PreparedRequest;

const operations: { readonly [O in Operation]: Prepare<O> } = {
  'contact.create': ({ contact_type: contactType, contacts, reject_existing: reject }, index, at) => {
    const request = { contactType, rejectExisting: reject === true, at, request: index };
    return {
      ...itemsOf(contacts, index),
      lookups: (item, primaryKey, into) => createLookups(request, contacts[item]!, primaryKey, into),
      apply: (item, state, failures) => applyCreate(state, request, contacts[item]!, failures),
    };
  },
  'contact.update': ({ contact_type: contactType, contacts }, index, at) => {
    const request = { contactType, at };
    return {
      ...itemsOf(contacts, index),
      lookups: (item, primaryKey, into) => updateLookups(contacts[item]!, primaryKey, into),
      apply: (item, state, failures) => applyUpdate(state, request, contacts[item]!, failures),
    };
  },
  'contact.delete': ({ contacts }, index, at) => ({
    ...itemsOf(contacts, index),
    lookups: (item, primaryKey, into) => deleteLookups(contacts[item]!, primaryKey, into),
    apply: (item, state, failures) => applyDelete(state, at, contacts[item]!, failures),
  }),
};

interface ListsOfContact {
  readonly audience_details?: readonly { readonly audience_id: readonly number[] }[] | undefined;
}

/** What the requests of all operations on contacts have in common. */
function itemsOf(contacts: readonly ListsOfContact[], index: number) {
  return {
    index,
    size: contacts.length,
    listIds(item: number, into: Set<number>): void {
      for (const { audience_id: listIds } of contacts[item]!.audience_details ?? []) {
        for (const listId of listIds) into.add(listId);
      }
    },
  };
}
