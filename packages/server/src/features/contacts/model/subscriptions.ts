import { optOutChannels, type UpdateContactsBody } from '@roster/contract';
import { move, type TypeState } from './contact-type-moves.ts';
import type { Contact } from './contact.ts';
import { setOptedOut } from './opt-outs.ts';

/** By channel: `false` opts the contact out, `true` opts it in again, absent changes nothing. */
export type Subscriptions = UpdateContactsBody['data']['contacts'][number]['subscriptions'];

/** Returns the type after a change of subscriptions. Only the email channel can change the type. */
export function moveBySubscriptions(state: TypeState, subscriptions: Subscriptions): TypeState {
  if (subscriptions?.email === undefined) return state;
  return move(state, subscriptions.email ? 'opt-in' : 'opt-out');
}

/**
 * Opts a contact out of channels and in again; `at` is RFC 3339. Returns true when it changed.
 * The caller changes the type of the contact with `setType`.
 */
export function setSubscriptions(contact: Contact, subscriptions: Subscriptions, at: string): boolean {
  let changed = false;
  for (const channel of optOutChannels) {
    const subscribed = subscriptions?.[channel];
    if (subscribed !== undefined) changed = setOptedOut(contact, channel, !subscribed, at) || changed;
  }
  return changed;
}
