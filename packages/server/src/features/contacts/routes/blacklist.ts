import {
  Faults,
  IdentifiedContact,
  optOutChannels,
  readerOf,
  upperCaseName,
  type OptOutChannel,
} from '@roster/contract';
import type { IncomingHttpHeaders } from 'node:http';
import type { CreateContacts } from '../operations/contact-operations.ts';
import { contactKey } from '../model/identity.ts';

/** Default of the header `channel`. */
const defaultChannel: OptOutChannel = 'email';

/**
 * Reads the headers of the older blacklist call. Returns the channel, or adds faults.
 *
 * `primarykey` must name the primary key of the account. A caller that means another one would
 * blacklist the wrong people.
 */
export function readBlacklistHeaders(
  { primarykey, channel }: IncomingHttpHeaders,
  primaryKey: string,
  faults: Faults,
): OptOutChannel | undefined {
  const name = trimmed(primarykey);
  if (name === '') {
    const message = `is missing or blank. Send the name of the primary key of the account, which is ${primaryKey}`;
    faults.add('required', message, 'header primarykey');
  } else if (upperCaseName(name) !== primaryKey) {
    faults.add('unknown_value', `must be ${primaryKey}, the primary key of the account`, 'header primarykey');
  }
  const word = trimmed(channel).toLowerCase();
  const known = word === '' ? defaultChannel : optOutChannels.find((one) => one === word);
  return (
    known ??
    faults.add('unknown_value', `must be one of ${optOutChannels.join(', ')}, or be left out`, 'header channel')
  );
}

function trimmed(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header.trim() : '';
}

/**
 * Translates values of the primary key into a create request that opts each of them out. A value
 * that cannot be a primary key becomes an empty identity, which fails when the request is applied.
 */
export function blacklistRequest(
  values: readonly unknown[],
  channel: OptOutChannel,
  primaryKey: string,
): CreateContacts {
  const subscriptions = { [channel]: false };
  const contacts = values.map((value) => ({ identity: identityOf(value, primaryKey), subscriptions }));
  return { contact_type: 'identified', contacts };
}

const readContact = readerOf(IdentifiedContact);

function identityOf(value: unknown, primaryKey: string): string {
  const { identity } = readContact({ identity: value }, new Faults(1)) as { readonly identity?: string };
  return identity === undefined || contactKey(primaryKey, identity) === undefined ? '' : identity;
}
