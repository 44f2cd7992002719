import { finished } from 'node:stream/promises';
import { optOutChannels, type OptOutChannel } from '@roster/contract';
import { from as copyFrom } from 'pg-copy-streams';
import { slotValue } from '#features/registry/slots/slot-value.ts';
import { kindOfSlot, type UsedSlot } from '#features/registry/slots/slot.ts';
import { storedAddress, type AddressColumn } from '#features/registry/stored-addresses.ts';
import { arrayLiteral, copyText, type TextValue } from '#platform/database/values/text-format.ts';
import type { Write } from '#pipeline/operations/batch-model.ts';
import type { Contact, StoredContact } from '../model/contact.ts';
import { kindOfKey } from '../model/identifiers.ts';
import type { BatchTables } from '../model/batch-tables.ts';
import type { WorkingSet } from './working-set.ts';

/** One column of a contact. */
interface Column {
  readonly name: string;
  readonly type: string;
  /** The value as text. `ofKey`: the column whose addresses are the keys of the account. */
  readonly value: (contact: Contact, ofKey: AddressColumn | undefined) => TextValue;
  /** True when an update must write the column. Absent: always. */
  readonly differs?: (contact: Contact, stored: StoredContact) => boolean;
}

const key: Column = { name: 'contact_key', type: 'text', value: (contact) => contact.key };

/** A column that holds a type of the contact. */
function contactType(name: string, of: 'type' | 'typeBeforeBlacklisting'): Column {
  return {
    name,
    type: 'contact_type',
    value: (contact) => contact[of],
    differs: (contact, stored) => contact[of] !== stored[of],
  };
}

function address(name: AddressColumn): Column {
  return {
    name,
    type: 'text',
    value: (contact, ofKey) => storedAddress(name, contact[name], contact.key, ofKey),
    differs: (contact, stored) => contact[name] !== stored[name],
  };
}

function optedOut(channel: OptOutChannel): Column {
  return {
    name: `${channel}_opted_out`,
    type: 'boolean',
    value: (contact) => contact.optedOut[channel],
    differs: (contact, stored) => contact.optedOut[channel] !== stored.optedOut[channel],
  };
}

/** The columns that an update can change. */
const columns: readonly Column[] = [
  contactType('contact_type', 'type'),
  contactType('type_before_blacklisting', 'typeBeforeBlacklisting'),
  address('email'),
  address('mobile'),
  { name: 'attributes', type: 'jsonb', value: (contact) => JSON.stringify(contact.attributes) },
  {
    name: 'list_ids',
    type: 'integer[]',
    value: (contact) => `{${contact.listIds.join(',')}}`,
    differs: (contact, stored) => contact.listIds !== stored.listIds,
  },
  ...optOutChannels.map(optedOut),
  {
    name: 'opted_in_at',
    type: 'jsonb',
    value: ({ optedInAt }) => (optedInAt === null ? null : JSON.stringify(optedInAt)),
    differs: (contact, stored) => contact.optedInAt !== stored.optedInAt,
  },
  { name: 'updated_at', type: 'timestamptz', value: (contact) => contact.updatedAt },
];
const createdAt: Column = { name: 'created_at', type: 'timestamptz', value: (contact) => contact.createdAt };
const contactId: Column = { name: 'contact_id', type: 'bigint', value: (contact) => contact.id };

/** Returns the columns of the slots that the indexed attributes of the account use. */
function slotColumns(slots: readonly UsedSlot[]): Column[] {
  return slots.map(({ slot, key: of, dataType }) => ({
    name: slot,
    type: kindOfSlot(slot) === 'number' ? 'double precision' : 'text',
    value: ({ attributes }) => slotValue(dataType, attributes[of]),
  }));
}

const deletion = ({ names, account }: BatchTables): string =>
  `delete from ${names.contacts} where account_id = ${account} and contact_key = any($2::text[])`;

// Deleted lists that a sweep still removes from contacts have no row in `audiences`.
const countMembers = ({ names, account }: BatchTables): string => `
  with changed as (
    update ${names.audiences} a set member_count = a.member_count + c.joined - c.departed
    from unnest($2::int[], $3::bigint[], $4::bigint[]) as c (audience_id, joined, departed)
    where a.account_id = ${account} and a.audience_id = c.audience_id
    returning a.account_id, a.audience_id, c.joined, c.departed
  )
  insert into ${names.list_days} as d (account_id, audience_id, day, joined, departed)
  select account_id, audience_id, $5::date, joined, departed from changed
  on conflict (account_id, audience_id, day)
  do update set joined = d.joined + excluded.joined, departed = d.departed + excluded.departed`;

/** How the contacts of an account are stored. */
interface Layout {
  /** The columns that an update can change. */
  readonly writable: readonly Column[];
  /** The column of the addresses that can equal the key. */
  readonly ofKey: AddressColumn | undefined;
  readonly tables: BatchTables;
}

/**
 * Returns the statements that write the contacts that a batch changed, one for each kind of change.
 * Makes all texts now, before the transaction, so that PostgreSQL does not wait for them.
 *
 * Contacts are inserted by COPY, which is a third faster than INSERT … SELECT from arrays. A
 * contact with a new key is deleted and inserted again with its contact_id: the table may be
 * distributed by the key, and a distribution column cannot be updated.
 */
export function writesOf(
  accountId: number,
  {
    primaryKey,
    slots,
    tables,
  }: { readonly primaryKey: string; readonly slots: readonly UsedSlot[]; readonly tables: BatchTables },
  contacts: WorkingSet,
): Write[] {
  const ofKey = addressColumnOf(primaryKey);
  const gone: string[] = [];
  const inserted: Contact[] = [];
  const changed: Contact[] = [];
  for (const contact of contacts.all) {
    if (contact.deleted) {
      if (contact.stored !== null) gone.push(contact.stored.key);
    } else if (contact.stored === null) inserted.push(contact);
    else if (contact.stored.key !== contact.key) {
      gone.push(contact.stored.key);
      inserted.push(contact);
    } else if (contact.changed) changed.push(contact);
  }
  const writable = slots.length === 0 ? columns : [...columns, ...slotColumns(slots)];
  const layout = { writable, ofKey, tables };
  return [
    // First, because another contact of the batch can take a key that was given up.
    ...(gone.length === 0 ? [] : [query(deletion(tables), [accountId, arrayLiteral(gone)])]),
    ...(changed.length === 0 ? [] : [update(accountId, changed, layout)]),
    ...(inserted.length === 0 ? [] : [copy(accountId, inserted, layout)]),
  ];
}

function addressColumnOf(primaryKey: string): AddressColumn | undefined {
  const kind = kindOfKey(primaryKey);
  return kind === 'email' || kind === 'mobile' ? kind : undefined;
}

/**
 * Returns the statement that counts who joined and left each list, if the members of any list
 * changed. `day`: today in the time zone of the account, such as `2026-08-01`.
 */
export function memberWrites(accountId: number, contacts: WorkingSet, day: string, tables: BatchTables): Write[] {
  const changes = [...memberChanges(contacts)];
  if (changes.length === 0) return [];
  return [
    query(countMembers(tables), [
      accountId,
      arrayLiteral(changes, ([listId]) => listId),
      arrayLiteral(changes, ([, { joined }]) => joined),
      arrayLiteral(changes, ([, { departed }]) => departed),
      day,
    ]),
  ];
}

function query(text: string, values: readonly unknown[]): Write {
  return (client) => client.query(text, [...values]);
}

/**
 * Updates contacts by their keys. Writes only columns that differ for any contact, because most
 * batches change only attributes.
 */
function update(accountId: number, contacts: readonly Contact[], { writable, ofKey, tables }: Layout): Write {
  const written = writable.filter(
    ({ differs }) => differs === undefined || contacts.some((one) => differs(one, one.stored!)),
  );
  const names = [key, ...written].map(({ name }) => name).join(', ');
  const text = `
    update ${tables.names.contacts} c set ${written.map(({ name, type }) => `${name} = ${read(name, type)}`).join(', ')}
    from unnest(${[key, ...written].map(({ type }, at) => `$${at + 2}::${passedAs(type)}[]`).join(', ')}) as u (${names})
    where c.account_id = ${tables.account} and c.contact_key = u.contact_key`;
  return query(text, [
    accountId,
    ...[key, ...written].map(({ value }) => arrayLiteral(contacts, (contact) => value(contact, ofKey))),
  ]);
}

/** Returns the type of the elements of the array in which the values of a column are passed. */
function passedAs(type: string): string {
  // `unnest` would flatten an array of arrays.
  return type === 'integer[]' ? 'text' : type;
}

/**
 * Returns the SQL of a passed value. A cast of a text to `integer[]` depends on the session for
 * PostgreSQL, and a cluster refuses such expressions of columns. A cast of its parts does not.
 */
function read(name: string, type: string): string {
  return type === 'integer[]' ? `string_to_array(btrim(u.${name}, '{}'), ',')::integer[]` : `u.${name}`;
}

function copy(accountId: number, contacts: readonly Contact[], { writable, ofKey, tables }: Layout): Write {
  const written = [key, contactId, createdAt, ...writable];
  const columnNames = written.map(({ name }) => name).join(', ');
  let lines = '';
  for (const contact of contacts) {
    lines += String(accountId);
    for (const { value } of written) lines += `\t${copyText(value(contact, ofKey))}`;
    lines += '\n';
  }
  return async (client) => {
    const stream = client.query(copyFrom(`copy ${tables.names.contacts} (account_id, ${columnNames}) from stdin`));
    stream.end(lines);
    await finished(stream);
  };
}

/** Counts the contacts that joined and left each list. Lists without changes are left out. */
function memberChanges(contacts: WorkingSet): Map<number, { joined: number; departed: number }> {
  const changes = new Map<number, { joined: number; departed: number }>();
  const count = (listIds: readonly number[], others: readonly number[], change: 'joined' | 'departed'): void => {
    for (const listId of listIds) {
      if (others.includes(listId)) continue;
      let counts = changes.get(listId);
      if (counts === undefined) changes.set(listId, (counts = { joined: 0, departed: 0 }));
      counts[change] += 1;
    }
  };
  for (const { stored, deleted, listIds } of contacts.all) {
    const [before, after] = [stored?.listIds ?? [], deleted ? [] : listIds];
    if (before === after) continue;
    count(after, before, 'joined');
    count(before, after, 'departed');
  }
  return changes;
}
