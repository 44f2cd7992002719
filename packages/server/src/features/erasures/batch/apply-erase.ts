import { fail, type ItemFailure, type Outcome } from '#pipeline/operations/item-result.ts';
import type { BatchState } from '#features/contacts/batch/batch-state.ts';
import { identifiersOfContact } from '#features/contacts/model/identifiers.ts';

/** Which contact is erased by which request. */
export interface Erase {
  readonly contactId: number;
  readonly erasureId: string;
}

/**
 * Erases a contact in its turn: the contact and its activities are gone, and it is forgotten, so that what was accepted later does not bring
 * it back. Its traces are erased in the background ({@link eraseTraces}).
 */
export function applyErase(
  state: BatchState,
  at: string,
  { contactId, erasureId }: Erase,
  failures: ItemFailure[],
): Outcome {
  const [contact] = state.contacts.find({ by: 'id', value: contactId });
  if (contact === undefined) return fail(failures, { code: 'contact_not_found', field: 'contact_id' });
  const { primaryKey } = state.registry;
  // What requests of this batch have changed is in the log of requests all the same.
  const known = [contact, ...(contact.stored === null ? [] : [contact.stored])];
  const identifiers = known.flatMap((names) => identifiersOfContact(primaryKey, { contactId, ...names }));
  state.keyChanged(contact.key, null);
  state.contacts.delete(contact);
  state.forgotten.forget(erasureId, identifiers);
  state.parts.erasures.push({
    erasureId,
    contactId,
    identifiers: [...new Set(identifiers)],
    contactCreatedAt: contact.createdAt,
    acceptedAt: at,
  });
  return 'deleted';
}
