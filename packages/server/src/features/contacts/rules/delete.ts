import { fail, type ItemFailure, type Outcome } from '#pipeline/operations/item-result.ts';
import type { DeleteContactsBody } from '@roster/contract';
import type { BatchState } from '../batch/batch-state.ts';
import { changeLists, touch } from './merge.ts';
import { finderLookup, findContact } from './update.ts';
import type { Lookups } from '../model/lookups.ts';

type DeleteContact = DeleteContactsBody['data']['contacts'][number];

/** Adds the look-up that an item needs. */
export function deleteLookups(item: DeleteContact, primaryKey: string, into: Lookups): void {
  const lookup = finderLookup(item, primaryKey);
  if (lookup !== undefined) into.add(lookup);
}

/** Deletes one contact, or removes it from the named lists. */
export function applyDelete(state: BatchState, at: string, item: DeleteContact, failures: ItemFailure[]): Outcome {
  const contact = findContact(state, item);
  if ('code' in contact) return fail(failures, contact);
  state.history.touch(contact);
  if (item.audience_details === undefined) {
    state.keyChanged(contact.key, null);
    state.contacts.delete(contact);
    state.counts.deleted(contact, at);
    return 'deleted';
  }
  const removals = item.audience_details.map((list) => ({ ...list, action: 'remove' as const }));
  return touch(state, contact, changeLists(state, contact, removals, failures), at);
}
