import { optOutChannels, type UpdateContactsBody } from '@roster/contract';
import { move, type TypeState } from './contact-type-moves.ts';
import type { Contact } from './contact.ts';
import { setOptedOut } from './opt-outs.ts';

/** By channel: false opts the contact out, true in again; absent leaves it as it is. */
export type Subscriptions = UpdateContactsBody['data']['contacts'][number]['subscriptions'];

/** The type after a change of subscriptions: an opt-out or an opt-in on the email channel moves it. */
export function moveBySubscriptions(state: TypeState, subscriptions: Subscriptions): TypeState {
  if (subscriptions?.email === undefined) return state;
  return move(state, subscriptions.email ? 'opt-in' : 'opt-out');
}

/**
 * Opts a contact out of channels and in again, at the time of a request (RFC 3339); answers whether anything changed. Its type is changed
 * by `setType`.
 */
export function setSubscriptions(contact: Contact, subscriptions: Subscriptions, at: string): boolean {
  let changed = false;
  for (const channel of optOutChannels) {
    const subscribed = subscriptions?.[channel];
    if (subscribed !== undefined) changed = setOptedOut(contact, channel, !subscribed, at) || changed;
  }
  return changed;
}
