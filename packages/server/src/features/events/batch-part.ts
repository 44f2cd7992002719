import type { BatchPart } from '#features/contacts/batch/batch-part.ts';
import { eventWrites } from './event-store.ts';

declare module '#features/contacts/batch/batch-state.ts' {
  interface BatchParts {
    /** Events have no state of their own: the history of the batch has the changes. */
    readonly events: null;
  }
}

/**
 * Writes the events of a batch in its transaction. A contact that the same batch creates and deletes
 * never had a contact_id, so it has no events.
 */
export const eventPart: BatchPart<'events'> = {
  open: () => null,
  plan(_, { accountId, state, context }) {
    const { changes } = state.history;
    if (changes === undefined) return {};
    const events = changes.all.flatMap(({ contact, kind, details, origin: { requestId } }) =>
      contact.id > 0 ? { contactId: contact.id, kind, details, requestId } : [],
    );
    return { sharedWrites: eventWrites(accountId, events, context.now()) };
  },
};
