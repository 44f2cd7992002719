import { optOutChannels, type UpdateContactsBody } from '@roster/contract';
import { move, type TypeState } from './contact-type-moves.ts';
import type { Contact } from './contact.ts';

/** By channel: false opts the contact out, true in again; absent leaves it as it is (decisions §3). */
export type Subscriptions = UpdateContactsBody['data']['contacts'][number]['subscriptions'];

/** The type after a change of subscriptions: an opt-out or an opt-in on the email channel moves it. */
export function moveBySubscriptions(state: TypeState, subscriptions: Subscriptions): TypeState {
  if (subscriptions?.email === undefined) return state;
  return move(state, subscriptions.email ? 'opt-in' : 'opt-out');
}

/** Opts a contact out of channels and in again; answers whether anything changed. Its type is changed by {@link setType}. */
export function setSubscriptions(contact: Contact, subscriptions: Subscriptions): boolean {
  let changed = false;
  for (const channel of optOutChannels) {
    const subscribed = subscriptions?.[channel];
    if (subscribed === undefined || contact.optedOut[channel] === !subscribed) continue;
    contact.optedOut = { ...contact.optedOut, [channel]: !subscribed };
    changed = true;
  }
  return changed;
}

/** Gives a contact its type and the type to return to; answers whether anything changed. */
export function setType(contact: Contact, { type, before }: TypeState): boolean {
  if (type === contact.type && before === contact.typeBeforeBlacklisting) return false;
  contact.type = type;
  contact.typeBeforeBlacklisting = before;
  return true;
}
