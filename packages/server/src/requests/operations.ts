import type { BatchState, ItemFailure, Outcome } from '../contacts/batch-state.ts';
import { applyCreate, createLookups } from '../contacts/create.ts';
import { applyDelete, deleteLookups } from '../contacts/remove.ts';
import { applyUpdate, updateLookups } from '../contacts/update.ts';
import type { Lookup } from '../contacts/working-set.ts';
import type { Operation, Payloads } from './payload.ts';

/** One item of an accepted request, ready to be applied. */
export interface PreparedItem {
  /** Index of the request in the batch. */
  readonly request: number;
  /** Index of the item in its request. */
  readonly index: number;
  /** Look-ups of contacts that the item needs. */
  lookups(primaryKey: string): readonly Lookup[];
  /** Lists that the item names. */
  readonly listIds: readonly number[];
  /** Applies the item to the state in memory. */
  apply(state: BatchState, failures: ItemFailure[]): Outcome;
}

/** Makes the items of a request; `at` is when it was accepted (RFC 3339). */
export function prepareItems<O extends Operation>(
  operation: O,
  payload: Payloads[O],
  request: number,
  at: string,
): PreparedItem[] {
  return (operations[operation] as (payload: Payloads[O], request: number, at: string) => PreparedItem[])(
    payload,
    request,
    at,
  );
}

const operations: { readonly [O in Operation]: (payload: Payloads[O], request: number, at: string) => PreparedItem[] } =
  {
    'contact.create': (payload, request, at) => {
      const common = {
        contactType: payload.contact_type,
        rejectExisting: payload.reject_existing === true,
        at,
        request,
      };
      return payload.contacts.map((item, index) => ({
        request,
        index,
        listIds: listIdsOf(item.audience_details),
        lookups: (primaryKey) => createLookups(common, item, primaryKey),
        apply: (state, failures) => applyCreate(state, common, item, failures),
      }));
    },
    'contact.update': (payload, request, at) =>
      payload.contacts.map((item, index) => ({
        request,
        index,
        listIds: listIdsOf(item.audience_details),
        lookups: (primaryKey) => updateLookups(item, primaryKey),
        apply: (state, failures) => applyUpdate(state, { contactType: payload.contact_type, at }, item, failures),
      })),
    'contact.delete': (payload, request, at) =>
      payload.contacts.map((item, index) => ({
        request,
        index,
        listIds: listIdsOf(item.audience_details),
        lookups: (primaryKey) => deleteLookups(item, primaryKey),
        apply: (state, failures) => applyDelete(state, at, item, failures),
      })),
  };

function listIdsOf(details: readonly { readonly audience_id: readonly number[] }[] | undefined): readonly number[] {
  return details === undefined ? none : details.flatMap((detail) => detail.audience_id);
}

const none: readonly number[] = [];
