import { optOutChannels, type Channel, type OptOutChannel } from '@roster/contract';
import type { Contact } from './contact.ts';
import { move, setType, typeState } from './contact-type-moves.ts';

/** True for a channel that a contact can opt out of. */
export function canOptOut(channel: Channel): channel is OptOutChannel {
  return (optOutChannels as readonly Channel[]).includes(channel);
}

/**
 * Opts a contact out of a channel or in again; `at` is RFC 3339. Returns true when it changed.
 * The caller changes the type of the contact.
 */
export function setOptedOut(contact: Contact, channel: OptOutChannel, optedOut: boolean, at: string): boolean {
  if (contact.optedOut[channel] === optedOut) return false;
  contact.optedOut = { ...contact.optedOut, [channel]: optedOut };
  if (!optedOut) contact.optedInAt = { ...contact.optedInAt, [channel]: at };
  return true;
}

/**
 * Opts a contact out because of an activity at `occurredAt`. Returns true when it changed.
 * On the email channel the contact also becomes `blacklisted`.
 *
 * Opt-outs dated before a later opt-in or unblocking are ignored, even if they arrive later.
 */
export function optOutAt(contact: Contact, channel: OptOutChannel, occurredAt: string): boolean {
  const optedInAt = contact.optedInAt?.[channel];
  if (optedInAt !== undefined && Date.parse(occurredAt) <= Date.parse(optedInAt)) return false;
  const optedOut = setOptedOut(contact, channel, true, occurredAt);
  // Even if the contact was opted out before: an operator may have unblocked it since, and this
  // new opt-out blacklists it again.
  const moved = channel === 'email' && setType(contact, move(typeState(contact), 'opt-out'));
  return optedOut || moved;
}

/**
 * Records that an operator unblocked a contact, so that earlier activities do not blacklist it
 * again. The opt-outs of the contact stay: they are its own decision.
 */
export function noteUnblocked(contact: Contact, at: string): void {
  contact.optedInAt = { ...contact.optedInAt, email: at };
}
