import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { arrayLiteral, copyText, type TextValue } from '../db/text-format.ts';
import type { Contact } from './contact.ts';
import type { WorkingSet } from './working-set.ts';

/** One column of a contact: its name, its type, and its value as text. */
type Column = readonly [name: string, type: string, value: (contact: Contact) => TextValue];

/** The columns that change; the first is the key, by which contacts are updated. */
const columns: readonly Column[] = [
  ['contact_key', 'text', (contact) => contact.key],
  ['contact_type', 'contact_type', (contact) => contact.type],
  ['type_before_blacklisting', 'contact_type', (contact) => contact.typeBeforeBlacklisting],
  ['email', 'text', (contact) => contact.email],
  ['mobile', 'text', (contact) => contact.mobile],
  ['attributes', 'jsonb', (contact) => JSON.stringify(contact.attributes)],
  ['list_ids', 'integer[]', (contact) => `{${contact.listIds.join(',')}}`],
  ['email_opted_out', 'boolean', (contact) => contact.optedOut.email],
  ['sms_opted_out', 'boolean', (contact) => contact.optedOut.sms],
  ['whatsapp_opted_out', 'boolean', (contact) => contact.optedOut.whatsapp],
  ['updated_at', 'timestamptz', (contact) => contact.updatedAt],
];
const createdAt: Column = ['created_at', 'timestamptz', (contact) => contact.createdAt];
const contactId: Column = ['contact_id', 'bigint', (contact) => contact.id];

const names = columns.map(([name]) => name).join(', ');
// The inner columns arrive as text: an array of arrays would not keep the memberships of different contacts apart.
const update = `
  update contacts c set ${columns
    .slice(1)
    .map(([name, type]) => `${name} = u.${name}::${type}`)
    .join(', ')}
  from unnest(${columns.map((_, at) => `$${at + 2}::text[]`).join(', ')}) as u (${names})
  where c.account_id = $1 and c.contact_key = u.contact_key`;

const deletion = 'delete from contacts where account_id = $1 and contact_key = any($2::text[])';

const countMembers = `
  update audiences a set member_count = a.member_count + d.difference
  from unnest($2::int[], $3::bigint[]) as d (audience_id, difference)
  where a.account_id = $1 and a.audience_id = d.audience_id`;

/** A statement with its parameters, ready to be sent on the connection that holds the lane. */
export type Write = (client: pg.ClientBase) => Promise<unknown>;

/**
 * The statements that write what a batch changed: one for each kind of change, with everything that can be made ready made ready, so that
 * PostgreSQL never waits for a text that is still being put together.
 *
 * New contacts go in by COPY, a third faster than INSERT … SELECT from arrays. A contact whose key changed is deleted and inserted again
 * under its contact_id: the key may be what the table is distributed by, which cannot be updated.
 */
export function writesOf(accountId: number, contacts: WorkingSet): Write[] {
  const gone: string[] = [];
  const created: Contact[] = [];
  const rekeyed: Contact[] = [];
  const changed: Contact[] = [];
  for (const contact of contacts.all) {
    if (contact.deleted) {
      if (contact.stored !== null) gone.push(contact.stored.key);
    } else if (contact.stored === null) created.push(contact);
    else if (contact.stored.key !== contact.key) {
      gone.push(contact.stored.key);
      rekeyed.push(contact);
    } else if (contact.changed) changed.push(contact);
  }
  const members = memberDifferences(contacts);
  return [
    // First, because a key that is given up can be taken by another contact of the batch.
    ...(gone.length === 0 ? [] : [query(deletion, [accountId, arrayLiteral(gone)])]),
    ...(changed.length === 0 ? [] : [query(update, [accountId, ...arrays(changed)])]),
    ...(rekeyed.length === 0 ? [] : [copy(accountId, rekeyed, [contactId, createdAt, ...columns])]),
    ...(created.length === 0 ? [] : [copy(accountId, created, [createdAt, ...columns])]),
    ...(members.length === 0 ? [] : [query(countMembers, [accountId, ...memberArrays(members)])]),
  ];
}

function query(text: string, values: readonly unknown[]): Write {
  return (client) => client.query(text, [...values]);
}

function arrays(contacts: readonly Contact[]): string[] {
  return columns.map(([, , value]) => arrayLiteral(contacts, value));
}

function copy(accountId: number, contacts: readonly Contact[], written: readonly Column[]): Write {
  const columnNames = written.map(([name]) => name).join(', ');
  let lines = '';
  for (const contact of contacts) {
    lines += String(accountId);
    for (const [, , value] of written) lines += `\t${copyText(value(contact))}`;
    lines += '\n';
  }
  return async (client) => {
    const stream = client.query(copyFrom(`copy contacts (account_id, ${columnNames}) from stdin`));
    stream.end(lines);
    await finished(stream);
  };
}

/** How the number of members of each list changes; kept exact in the transaction that changes the memberships. */
function memberDifferences(contacts: WorkingSet): (readonly [listId: number, difference: number])[] {
  const differences = new Map<number, number>();
  const count = (listIds: readonly number[], by: number): void => {
    for (const listId of listIds) differences.set(listId, (differences.get(listId) ?? 0) + by);
  };
  for (const contact of contacts.all) {
    if (contact.stored !== null) {
      if (!contact.deleted && contact.listIds === contact.stored.listIds) continue;
      count(contact.stored.listIds, -1);
    }
    if (!contact.deleted) count(contact.listIds, 1);
  }
  return [...differences].filter(([, difference]) => difference !== 0);
}

function memberArrays(members: readonly (readonly [number, number])[]): string[] {
  return [arrayLiteral(members, ([listId]) => listId), arrayLiteral(members, ([, difference]) => difference)];
}
