import type { BatchItem, PreparedRequest } from '#pipeline/operations/operation.ts';
import { identifiersOf, type IdentifyingFields } from '../model/identifiers.ts';
import type { Lookups } from '../model/lookups.ts';
import type { BatchState } from './batch-state.ts';

/** A prepared request on the contacts of an account. */
export type ContactRequest = PreparedRequest<BatchState, Lookups>;

/** One item of a {@link ContactRequest}. */
export type ContactItem = BatchItem<ContactRequest>;

/** The fields of an item that all operations on contacts have. */
export interface ItemOfContact extends IdentifyingFields {
  readonly audience_details?: readonly { readonly audience_id: readonly number[] }[] | undefined;
}

/** Makes the part of a {@link ContactRequest} that all operations on contacts share. */
export function requestOn(
  contacts: readonly ItemOfContact[],
  index: number,
): Pick<ContactRequest, 'index' | 'size' | 'names' | 'listIds'> {
  return {
    index,
    size: contacts.length,
    names: (item, primaryKey) => identifiersOf(contacts[item]!, primaryKey),
    listIds(item, into) {
      for (const { audience_id: listIds } of contacts[item]!.audience_details ?? []) {
        for (const listId of listIds) into.add(listId);
      }
    },
  };
}
