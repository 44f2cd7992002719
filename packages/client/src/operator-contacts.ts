import type { AccountConnection, CallOptions } from './transport/connection.ts';
import { listRows, type ListOptions } from './transport/list-rows.ts';
import type { ContactTimelineQuery, UpdateContactBody } from './wire/shapes.ts';

/** Creates the operations on contacts of an account that only operators can do. */
export function createOperatorContacts(account: AccountConnection) {
  const pathOf = (contactId: number) => ({ contact_id: contactId });
  return {
    /**
     * Finds up to 20 contacts by the beginning of an e-mail address, mobile number or identity, or
     * by a whole contact_id.
     */
    find: (text: string, options?: CallOptions) => account.call('findContacts', { ...options, query: { find: text } }),
    /** Returns a contact with its lists, segments, opt-outs and lifecycle. */
    get: (contactId: number, options?: CallOptions) =>
      account.call('getContact', { ...options, path: pathOf(contactId) }),
    /**
     * Changes a contact and waits for the result. Send its `version` as `ifMatch`, so that you do
     * not overwrite the change of somebody else.
     */
    update: (contactId: number, change: UpdateContactBody, options?: CallOptions) =>
      account.call('updateContact', { ...options, path: pathOf(contactId), body: change }),
    /** Lists what happened to a contact, newest first. */
    timeline: (contactId: number, options?: ListOptions<ContactTimelineQuery>) =>
      listRows(account, 'listContactTimeline', options, pathOf(contactId)),
    block: (contactId: number, options?: CallOptions) =>
      account.call('blockContact', { ...options, path: pathOf(contactId) }),
    unblock: (contactId: number, options?: CallOptions) =>
      account.call('unblockContact', { ...options, path: pathOf(contactId) }),
    /** Returns all data about one person. The whole result is in memory. */
    export: (contactId: number, options?: CallOptions) =>
      account.call('exportContact', { ...options, path: pathOf(contactId) }),
    /** Erases a person. The traces are erased in the background; see `erasures.wait`. */
    erase: (contactId: number, options?: CallOptions) =>
      account.call('eraseContact', { ...options, path: pathOf(contactId), query: { mode: 'erase' } }),
  };
}
