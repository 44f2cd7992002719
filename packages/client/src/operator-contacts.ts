import type { CallOptions, Connection } from './transport/connection.ts';
import type { ListOptions, OperatorListing } from './account-operator.ts';
import { Listing } from './wire/listing.ts';
import type {
  ContactChanged,
  ContactProfile,
  ContactTimelineQuery,
  ContactTypeAnswer,
  Erasure,
  FindContactsAnswer,
  PersonExport,
  TimelineEntry,
  UpdateContactBody,
} from './wire/shapes.ts';

/** Creates the operations on contacts of one account that only operators can do. */
export function createOperatorContacts(connection: Connection, accountId: number) {
  const account = { account_id: accountId };
  return {
    /**
     * Finds up to 20 contacts by the beginning of an e-mail address, mobile number or identity, or
     * by a whole contact_id.
     */
    find: (text: string, options: CallOptions = {}): Promise<FindContactsAnswer> =>
      connection.call('findContacts', { ...options, path: account, query: { find: text } }),
    /** Returns a contact with its lists, segments, opt-outs and lifecycle. */
    get: (contactId: number, options: CallOptions = {}): Promise<ContactProfile> =>
      connection.call('getContact', { ...options, path: { ...account, contact_id: contactId } }),
    /**
     * Changes a contact and waits for the result. Send its `version` as `ifMatch`, so that you do
     * not overwrite the change of somebody else.
     */
    update: (contactId: number, change: UpdateContactBody, options: CallOptions = {}): Promise<ContactChanged> =>
      connection.call('updateContact', { ...options, path: { ...account, contact_id: contactId }, body: change }),
    /** Lists what happened to a contact, newest first. */
    timeline: (contactId: number, options: ListOptions<ContactTimelineQuery> = {}): OperatorListing<TimelineEntry> => {
      const { signal, idempotencyKey: _, ifMatch: _tag, ...query } = options;
      const path = { ...account, contact_id: contactId };
      return new Listing(async (cursor) =>
        connection.call('listContactTimeline', { path, query: { ...query, ...(cursor && { cursor }) }, signal }),
      );
    },
    block: (contactId: number, options: CallOptions = {}): Promise<ContactTypeAnswer> =>
      connection.call('blockContact', { ...options, path: { ...account, contact_id: contactId } }),
    unblock: (contactId: number, options: CallOptions = {}): Promise<ContactTypeAnswer> =>
      connection.call('unblockContact', { ...options, path: { ...account, contact_id: contactId } }),
    /** Returns all data about one person. The whole result is in memory. */
    export: (contactId: number, options: CallOptions = {}): Promise<PersonExport> =>
      connection.call('exportContact', { ...options, path: { ...account, contact_id: contactId } }),
    /** Erases a person. The traces are erased in the background; see `erasures.wait`. */
    erase: (contactId: number, options: CallOptions = {}): Promise<Erasure> =>
      connection.call('eraseContact', {
        ...options,
        path: { ...account, contact_id: contactId },
        query: { mode: 'erase' },
      }),
  };
}
