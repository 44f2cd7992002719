import type { Author } from '#platform/audit-log/audit-log.ts';
import { fail, type ItemFailure, type Outcome } from '#pipeline/operations/item-result.ts';
import type { BatchState } from '#features/contacts/batch/batch-state.ts';
import { identifiersOfContact } from '#features/contacts/model/identifiers.ts';

/** A contact to erase, and the request that erases it. */
export interface Erase {
  readonly contactId: number;
  readonly erasureId: string;
  readonly author: Author;
}

/**
 * Erases a contact and its activities, and marks the person as forgotten, so that later requests do
 * not store the person again. A job erases the traces (`eraseTraces`).
 */
export function applyErase(
  state: BatchState,
  at: string,
  { contactId, erasureId, author }: Erase,
  failures: ItemFailure[],
): Outcome {
  const [contact] = state.contacts.find({ by: 'id', value: contactId });
  if (contact === undefined) return fail(failures, { code: 'contact_not_found', field: 'contact_id' });
  const { primaryKey } = state.registry;
  // Also use the identifiers that the contact had before this batch. Earlier requests contain them.
  const known = [contact, ...(contact.stored === null ? [] : [contact.stored])];
  const identifiers = known.flatMap((names) => identifiersOfContact(primaryKey, { contactId, ...names }));
  state.history.touch(contact);
  state.keyChanged(contact.key, null);
  state.contacts.delete(contact);
  contact.erased = true;
  state.counts.deleted(contact, at);
  state.forgotten.forget(erasureId, identifiers);
  state.parts.erasures.push({
    erasureId,
    contactId,
    author,
    identifiers: [...new Set(identifiers)],
    acceptedAt: at,
  });
  return 'deleted';
}
