import { optOutChannels, type Channel, type OptOutChannel } from '@roster/contract';
import type { Contact } from './contact.ts';
import { move, setType, typeState } from './contact-type-moves.ts';

/** True for the channels that a contact can opt out of. */
export function canOptOut(channel: Channel): channel is OptOutChannel {
  return (optOutChannels as readonly Channel[]).includes(channel);
}

/**
 * Opts a contact out of a channel or in again, at the time of a request (RFC 3339); answers whether anything changed. Its type is the
 * caller's concern.
 */
export function setOptedOut(contact: Contact, channel: OptOutChannel, optedOut: boolean, at: string): boolean {
  if (contact.optedOut[channel] === optedOut) return false;
  contact.optedOut = { ...contact.optedOut, [channel]: optedOut };
  if (!optedOut) contact.optedInAt = { ...contact.optedInAt, [channel]: at };
  return true;
}

/**
 * Opts a contact out because of what it did at a moment; on the email channel that moves it to `blacklisted`.
 *
 * What it did before it came back to the channel, or before an operator took it off the blacklist, changes nothing, however late or how often
 * it is reported. Answers whether anything changed.
 */
export function optOutAt(contact: Contact, channel: OptOutChannel, occurredAt: string): boolean {
  const cameBack = contact.optedInAt?.[channel];
  if (cameBack !== undefined && Date.parse(occurredAt) <= Date.parse(cameBack)) return false;
  const optedOut = setOptedOut(contact, channel, true, occurredAt);
  // One that an operator has unblocked has still opted out, and is blocked again by what it does since.
  const moved = channel === 'email' && setType(contact, move(typeState(contact), 'opt-out'));
  return optedOut || moved;
}

/** Notes that an operator took a contact off the blacklist: what it did before puts it there no more. Its opt-outs are its own wish, and stay. */
export function noteUnblocked(contact: Contact, at: string): void {
  contact.optedInAt = { ...contact.optedInAt, email: at };
}
