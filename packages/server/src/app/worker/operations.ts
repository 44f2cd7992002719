import { applyRecord, lateKeys, recordLookups, recordRequest } from '#features/activities/record.ts';
import { applyCreateAttributes } from '#features/attributes/apply-create.ts';
import { applyDeleteAttributes } from '#features/attributes/apply-delete.ts';
import { applyUpdateAttributes } from '#features/attributes/apply-update.ts';
import type { ItemResult, RegistryTools } from '#features/attributes/registry-change.ts';
import type { BatchState, ItemFailure, Outcome } from '#features/contacts/batch/batch-state.ts';
import { applyCreate, createLookups, fail } from '#features/contacts/rules/create.ts';
import type { Lookups } from '#features/contacts/model/lookups.ts';
import { applyDelete, deleteLookups } from '#features/contacts/rules/delete.ts';
import { applyConfirmation, applyMove, applySignUp, signUpLookups } from '#features/contacts/rules/sign-up.ts';
import { applyUpdate, updateLookups } from '#features/contacts/rules/update.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { applyErase } from '#features/erasures/apply-erase.ts';
import { identifiersOf, type Identifier, type NamesPerson } from '#features/contacts/model/identifiers.ts';
import type { Operation, Payloads, RegistryOperation } from '#pipeline/log/payload.ts';

/** One accepted request on contacts or activities, ready to be applied item by item. */
export interface PreparedRequest {
  /** Index of the request in its batch. */
  readonly index: number;
  /** Number of items. */
  readonly size: number;
  /** Adds the look-ups of contacts that an item needs. */
  lookups(item: number, primaryKey: string, into: Lookups): void;
  /** Adds the key that an item names where the item is of something that happened before a moment (milliseconds since 1970); absent: none is. */
  lateKeys?(item: number, primaryKey: string, before: number, into: Set<string>): void;
  /** What an item names people by, who may be forgotten (docs/privacy.md). */
  names(item: number, primaryKey: string): readonly Identifier[];
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

/** One accepted request on the registry, ready to be applied as a whole in the transaction that ends it. */
export interface PreparedRegistryRequest {
  /** Applies the request; answers what became of its items, in order. */
  apply(trx: Database, accountId: number, tools: RegistryTools): Promise<readonly ItemResult[]>;
}

type ItemOperation = Exclude<Operation, RegistryOperation>;

/** Prepares a request on contacts or activities; `at` is when it was accepted (RFC 3339). */
export function prepareRequest<O extends ItemOperation>(
  operation: O,
  payload: Payloads[O],
  index: number,
  at: string,
): PreparedRequest {
  const prepare = itemOperations[operation] as (payload: Payloads[O], index: number, at: string) => PreparedRequest;
  return prepare(payload, index, at);
}

/** Prepares a request on the registry. */
export function prepareRegistryRequest<O extends RegistryOperation>(
  operation: O,
  payload: Payloads[O],
): PreparedRegistryRequest {
  const apply = appliers[operation] as Apply<O>;
  return { apply: (trx, accountId, tools) => apply(trx, accountId, payload, tools) };
}

type Apply<O extends RegistryOperation> = (
  trx: Database,
  accountId: number,
  payload: Payloads[O],
  tools: RegistryTools,
) => Promise<readonly ItemResult[]>;

const appliers: { readonly [O in RegistryOperation]: Apply<O> } = {
  'attribute.create': applyCreateAttributes,
  'attribute.update': applyUpdateAttributes,
  'attribute.delete': applyDeleteAttributes,
};

type Prepare<O extends ItemOperation> = (payload: Payloads[O], index: number, at: string) => PreparedRequest;

const itemOperations: { readonly [O in ItemOperation]: Prepare<O> } = {
  'contact.create': ({ contact_type: contactType, contacts, reject_existing, reject_repeated }, index, at) => {
    const rejected = { rejectExisting: reject_existing === true, rejectRepeated: reject_repeated === true };
    const request = { contactType, ...rejected, at, request: index };
    return {
      ...itemsOf(contacts, index),
      lookups: (item, primaryKey, into) => createLookups(request, contacts[item]!, primaryKey, into),
      apply: (item, state, failures) => applyCreate(state, request, contacts[item]!, failures),
    };
  },
  'contact.batch-add': ({ refused, ...payload }, index, at) => {
    const create = itemOperations['contact.create'](payload, index, at);
    return {
      ...create,
      lookups(item, primaryKey, into) {
        if (refused[item] === undefined) create.lookups(item, primaryKey, into);
      },
      apply(item, state, failures) {
        const refusal = refused[item];
        return refusal === undefined ? create.apply(item, state, failures) : fail(failures, refusal);
      },
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
  'contact.sign-up': ({ contact }, index, at) => ({
    ...itemsOf([contact], index),
    lookups: (_item, primaryKey, into) => signUpLookups(contact, primaryKey, into),
    apply: (_item, state, failures) => applySignUp(state, { at, request: index }, contact, failures),
  }),
  'contact.confirm': ({ contact }, index, at) => ({
    ...itemsOf([contact], index),
    lookups: (_item, primaryKey, into) => signUpLookups(contact, primaryKey, into),
    apply: (_item, state, failures) => applyConfirmation(state, { at, request: index }, contact, failures),
  }),
  'contact.block': prepareMove('block'),
  'contact.unblock': prepareMove('unblock'),
  'contact.erase': ({ contact_id: contactId, erasure_id: erasureId }, index, at) => ({
    ...itemsOf([{}], index),
    lookups: (_item, _primaryKey, into) => into.add({ by: 'id', value: contactId }),
    apply: (_item, state, failures) => applyErase(state, at, { contactId, erasureId }, failures),
  }),
  'activity.record': (records, index, at) => {
    const request = recordRequest(records, index, at);
    return {
      index,
      size: records.identity.length,
      names: (item, primaryKey) => identifiersOf({ identity: records.identity[item] }, primaryKey),
      listIds: () => undefined,
      lookups: (item, primaryKey, into) => recordLookups(request, item, primaryKey, into),
      lateKeys: (item, primaryKey, before, into) => lateKeys(request, item, primaryKey, before, into),
      apply: (item, state, failures) => applyRecord(state, request, item, failures),
    };
  },
};

function prepareMove(cause: 'block' | 'unblock'): Prepare<'contact.block' | 'contact.unblock'> {
  return ({ contact_id: contactId }, index, at) => ({
    ...itemsOf([{}], index),
    lookups: (_item, _primaryKey, into) => into.add({ by: 'id', value: contactId }),
    apply: (_item, state, failures) => applyMove(state, at, contactId, cause, failures),
  });
}

interface ListsOfContact extends NamesPerson {
  readonly audience_details?: readonly { readonly audience_id: readonly number[] }[] | undefined;
}

/** What the requests of all operations on contacts have in common. */
function itemsOf(contacts: readonly ListsOfContact[], index: number) {
  return {
    index,
    size: contacts.length,
    names: (item: number, primaryKey: string) => identifiersOf(contacts[item]!, primaryKey),
    listIds(item: number, into: Set<number>): void {
      for (const { audience_id: listIds } of contacts[item]!.audience_details ?? []) {
        for (const listId of listIds) into.add(listId);
      }
    },
  };
}
