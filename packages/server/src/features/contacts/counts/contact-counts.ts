import { optOutChannels } from '@roster/contract';
import { hasIdentity, type Contact } from '../model/contact.ts';
import { countColumns, countedTypes, eventColumns, quarterHour } from './count-columns.ts';

const created = countColumns.indexOf('created');
const deleted = countColumns.indexOf('deleted');
const createdSinceDeleted = countColumns.indexOf('created_since_deleted');
const optedOut = countColumns.indexOf('email_opted_out');
const optedIn = countColumns.indexOf('email_opted_in');
const types = eventColumns.length;
const reach = types + countedTypes.length;
const channels = optOutChannels.length;

/** The fields of a contact that are counted. */
type CountedFields = Pick<Contact, 'key' | 'type' | 'email' | 'mobile' | 'optedOut'>;

// The counted state of a contact as one number, so that comparing two states is fast:
// bits 0 to 2 the opt-outs, bits 3 to 5 the channels that reach it, bit 6 the identity, then the
// number of its type.
const reachBit = 3;
const identityBit = 1 << 6;
const typeBit = 7;

function stateOf({ key, type, email, mobile, optedOut: outs }: CountedFields): number {
  const opted = (outs.email ? 1 : 0) | (outs.sms ? 2 : 0) | (outs.whatsapp ? 4 : 0);
  const reachable = type === 'blacklisted' ? 0 : (email === null ? 0 : 1) | (mobile === null ? 0 : 6);
  const identified = hasIdentity({ key }) ? identityBit : 0;
  return opted | ((reachable & ~opted) << reachBit) | identified | (countedTypes.indexOf(type) << typeBit);
}

/**
 * Counts the changes of a batch to contacts: in each quarter of an hour, in total, and the values
 * of each attribute. A change counts at the time of its request.
 *
 * An e-mail address or a mobile number reaches a contact that has not opted out of the channel and
 * is not blacklisted. Opting out and in count as events only for contacts that exist.
 */
export class ContactCounts {
  /** The counters of `countColumns`, by the start of the quarter in milliseconds since 1970. */
  readonly quarters = new Map<number, number[]>();
  /** The change of the number of contacts with an identity. */
  identities = 0;
  /** The change of the number of contacts with a value, by attribute_id. */
  readonly fills = new Map<number, number>();
  #at = '';
  #row: number[] = [];

  /** Counts a new contact. Call it when the contact is complete. */
  created(contact: Contact): void {
    const row = this.#rowAt(contact.createdAt);
    row[created]! += 1;
    contact.counted = stateOf(contact);
    this.#countState(row, contact.counted, 1);
  }

  /** Counts a change of a contact at a time (RFC 3339). */
  changed(contact: Contact, at: string): void {
    const before = contact.counted ?? stateOf(contact.stored!);
    const after = stateOf(contact);
    contact.counted = after;
    if (before === after) return;
    const row = this.#rowAt(at);
    for (let channel = 0; channel < channels; channel++) {
      const bit = 1 << channel;
      if ((after & bit) !== (before & bit)) row[((after & bit) === 0 ? optedIn : optedOut) + channel]! += 1;
    }
    this.#countState(row, before, -1);
    this.#countState(row, after, 1);
  }

  /** Counts the deletion of a contact at a time (RFC 3339). */
  deleted(contact: Contact, at: string): void {
    this.#rowAt(contact.createdAt)[createdSinceDeleted]! += 1;
    const row = this.#rowAt(at);
    row[deleted]! += 1;
    this.#countState(row, contact.counted ?? stateOf(contact.stored!), -1);
    for (const key of Object.keys(contact.attributes)) this.filled(Number(key.slice(key.indexOf('.') + 1)), -1);
  }

  /** Counts a contact that got a value of an attribute (1), or lost it (-1). */
  filled(attributeId: number, by: 1 | -1): void {
    this.fills.set(attributeId, (this.fills.get(attributeId) ?? 0) + by);
  }

  #countState(row: number[], state: number, by: 1 | -1): void {
    row[types + (state >> typeBit)]! += by;
    for (let channel = 0; channel < channels; channel++) {
      if ((state & (1 << (reachBit + channel))) !== 0) row[reach + channel]! += by;
    }
    if ((state & identityBit) !== 0) this.identities += by;
  }

  #rowAt(at: string): number[] {
    // The items of a request have the same time.
    if (at === this.#at) return this.#row;
    const start = Math.floor(Date.parse(at) / quarterHour) * quarterHour;
    let row = this.quarters.get(start);
    if (row === undefined) this.quarters.set(start, (row = countColumns.map(() => 0)));
    this.#at = at;
    this.#row = row;
    return row;
  }
}
