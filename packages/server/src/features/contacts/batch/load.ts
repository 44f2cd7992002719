import type { ContactType } from '@roster/contract';
import pg from 'pg';
import type { StoredValue } from '#features/registry/registry.ts';
import { readAddress } from '#features/registry/stored-addresses.ts';
import { typesWith } from '#platform/database/connection/database.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import type { Contact, StoredContact } from '../model/contact.ts';
import type { BatchTables } from '../model/batch-tables.ts';
import type { Lookup, Lookups } from '../model/lookups.ts';
import { contactsPerWorkingSet, WorkingSet } from './working-set.ts';

type Row = [
  key: string,
  id: number,
  type: ContactType,
  before: ContactType | null,
  email: string | null,
  mobile: string | null,
  attributes: Record<string, StoredValue>,
  listIds: string,
  emailOptedOut: boolean,
  smsOptedOut: boolean,
  whatsappOptedOut: boolean,
  optedInAt: Contact['optedInAt'],
  createdAt: string,
  updatedAt: string,
];

// `created_at` stays text because nothing computes with it. `list_ids` comes as text because the
// array parser of the driver is slow.
const columns = `c.contact_key, c.contact_id, c.contact_type, c.type_before_blacklisting, c.email, c.mobile, c.attributes, c.list_ids::text,
  c.email_opted_out, c.sms_opted_out, c.whatsapp_opted_out, c.opted_in_at, c.created_at::text,
  (c.updated_at at time zone 'UTC')::text`;

interface Statement {
  readonly text: string;
  /** True when the third parameter limits the contacts that are loaded for one value. */
  readonly isLimited: boolean;
}

const statements: Record<Lookup['by'], (tables: BatchTables) => Statement> = {
  key: (tables) => lookUpUnique(tables, 'text', 'c.contact_key'),
  id: (tables) => lookUpUnique(tables, 'bigint', 'c.contact_id'),
  email: (tables) => lookUpShared(tables, 'email', 'lower(c.email)'),
  mobile: (tables) => lookUpShared(tables, 'mobile', 'c.mobile'),
};

/**
 * Looks up keys or ids in one scan. At most one contact has each of them. When no contact has
 * them, which is usual in an import of new contacts, separate look-ups take three times as long.
 */
function lookUpUnique({ names, account }: BatchTables, type: string, column: string): Statement {
  const text = `select ${columns} from ${names.contacts} c where c.account_id = ${account} and ${column} = any($2::${type}[]) limit ${contactsPerWorkingSet + 1}`;
  return { text, isLimited: false };
}

/**
 * Looks up shared values one by one, to limit the contacts that are loaded for each value. One of
 * two indexes has a value: the primary key, or the index on the column (stored-addresses.ts).
 */
function lookUpShared({ names, account }: BatchTables, column: string, comparable: string): Statement {
  const condition = `((c.contact_key = wanted.value and c.${column} = '') or (${comparable} = wanted.value and c.${column} <> ''))`;
  const text = `select ${columns} from unnest($2::text[]) as wanted (value) cross join lateral (
    select * from ${names.contacts} c where c.account_id = ${account} and ${condition} limit $3) c limit ${contactsPerWorkingSet + 1}`;
  return { text, isLimited: true };
}

/**
 * Loads the contacts that the look-ups of a batch with `items` items find. The
 * caller holds the lane of the account. Throws `BatchTooLarge` when they do not fit into memory
 * together.
 *
 * Loads at most `items + 2` contacts for each email or mobile. Each item can remove the value from
 * at most one contact, so at least two contacts have it until the end of the batch. So a value
 * that is ambiguous in the database stays ambiguous in memory.
 */
export async function loadContacts(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  lookups: Lookups,
  { items, tables }: { readonly items: number; readonly tables: BatchTables },
): Promise<WorkingSet> {
  const contacts = new WorkingSet({ email: lookups.email.size > 0, mobile: lookups.mobile.size > 0 });
  const loaded = new Set<number>();
  for (const by of ['key', 'id', 'email', 'mobile'] as const) {
    if (lookups[by].size === 0) continue;
    const { text, isLimited } = statements[by](tables);
    const { rows } = await client.query<Row>({
      text,
      values: [accountId, arrayLiteral(lookups[by] as ReadonlySet<string | number>), ...(isLimited ? [items + 2] : [])],
      rowMode: 'array',
      types: admitting(contacts),
    });
    for (const row of rows) {
      // Several look-ups can find the same contact, which must be in memory only once.
      if (loaded.has(row[1])) continue;
      loaded.add(row[1]);
      contacts.add(toContact(row));
    }
  }
  return contacts;
}

/** Counts the size of each contact before its attributes are parsed, to limit memory. */
function admitting(contacts: WorkingSet): pg.CustomTypesConfig {
  return typesWith(pg.types.builtins.JSONB, (text) => {
    contacts.admit(text.length);
    return JSON.parse(text) as unknown;
  });
}

function toContact(row: Row): Contact {
  const stored: StoredContact = {
    key: row[0],
    type: row[2],
    typeBeforeBlacklisting: row[3],
    email: readAddress(row[4], row[0]),
    mobile: readAddress(row[5], row[0]),
    listIds: row[7] === '{}' ? [] : row[7].slice(1, -1).split(',').map(Number),
    optedOut: { email: row[8], sms: row[9], whatsapp: row[10] },
    optedInAt: row[11],
  };
  return {
    ...stored,
    id: row[1],
    attributes: row[6],
    createdAt: row[12],
    updatedAt: null,
    storedUpdatedAt: row[13],
    stored,
    createdBy: null,
    changed: false,
    counted: null,
    deleted: false,
    erased: false,
  };
}
