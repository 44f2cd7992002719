import {
  anonymousPrefix,
  foundContacts,
  type ContactType,
  type FindContactsAnswer,
  type FoundContact,
} from '@roster/contract';
import { sql, type RawBuilder } from 'kysely';
import { mask } from '#features/registry/masking.ts';
import type { Registry } from '#features/registry/registry.ts';
import { addressSql, type AddressColumn } from '#features/registry/stored-addresses.ts';
import { fixedField } from '#features/search/filter/fields.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { kindOfKey } from '../model/identifiers.ts';
import { beginningWith, findTexts, keysBeginningWith, type TextRange } from './find-texts.ts';

/** The account of a quick find, and the rights of the caller. */
export interface FindScope {
  readonly accountId: number;
  readonly registry: Registry;
  readonly unmasked: boolean;
}

interface ContactRow {
  readonly found_by: FoundContact['found_by'];
  readonly exact: boolean;
  readonly contact_id: number;
  readonly contact_key: string;
  readonly email: string | null;
  readonly mobile: string | null;
  readonly contact_type: ContactType;
  readonly created_at: Date;
}

/** One more than the answer has tells whether there are more. */
const loaded = foundContacts + 1;

/**
 * Finds contacts by the beginning of an identifier. Every statement part reads at most
 * {@link loaded} rows from one index, so the size of the account does not matter.
 *
 * Fields that are masked for the caller are not searched, because each answer would reveal a part
 * of their values.
 */
export async function findContacts(db: Database, scope: FindScope, text: string): Promise<FindContactsAnswer> {
  const { accountId, registry, unmasked } = scope;
  const texts = findTexts(text, registry.primaryKey);
  const isHidden = (name: 'identity' | 'email' | 'mobile'): boolean =>
    !unmasked && fixedField(registry, name).masking !== 'none';
  const { contactId, identity, email, mobile } = texts;
  const parts = [
    ...(contactId === undefined
      ? []
      : [part(accountId, 'contact_id', sql`true`, sql`contact_id = ${contactId}::bigint`, sql`contact_id`)]),
    ...(identity === undefined || isHidden('identity')
      ? []
      : keysBeginningWith(identity).map((range) => textPart(accountId, 'identity', key, identity, within(key, range)))),
    ...(isHidden('email') ? [] : addressParts(scope, 'email', email)),
    ...(mobile === undefined || isHidden('mobile') ? [] : addressParts(scope, 'mobile', mobile)),
  ];
  if (parts.length === 0) return { data: [], more: false };
  const { rows } = await sql<ContactRow>`${sql.join(parts, sql` union all `)}`.execute(db);
  // A contact is shown once: by an exact match, or by the first field that matches.
  const found = new Map<number, ContactRow>();
  for (const row of [...rows.filter(({ exact }) => exact), ...rows]) {
    if (!found.has(row.contact_id)) found.set(row.contact_id, row);
  }
  return {
    data: [...found.values()].slice(0, foundContacts).map((row) => view(row, scope)),
    more: found.size > foundContacts,
  };
}

/**
 * Finds contacts by an address. In an account keyed by this address, most of them are only in the
 * primary key (stored-addresses.ts). A key there is nearly always the address of its contact, so
 * few rows of the range are read in vain.
 */
function addressParts({ accountId, registry }: FindScope, column: AddressColumn, text: string): RawBuilder<unknown>[] {
  const range = beginningWith(text);
  const stored = sql.ref(`contacts.${column}`);
  const comparable = column === 'email' ? sql`lower(${stored})` : stored;
  const isIn = within(comparable, range);
  const ofColumn = textPart(accountId, column, comparable, text, sql`${stored} <> '' and ${isIn}`);
  if (kindOfKey(registry.primaryKey) !== column) return [ofColumn];
  const ofKey = keysBeginningWith(text).map((keys) =>
    textPart(accountId, column, key, text, sql`${within(key, keys)} and (${stored} = '' or ${isIn})`),
  );
  return [...ofKey, ofColumn];
}

const key = sql.ref('contact_key');

function within(column: RawBuilder<unknown>, { from, before }: TextRange): RawBuilder<unknown> {
  return sql`${column} >= ${from}::text and ${column} < ${before}::text`;
}

function textPart(
  accountId: number,
  foundBy: FoundContact['found_by'],
  column: RawBuilder<unknown>,
  text: string,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return part(accountId, foundBy, sql`${column} = ${text}::text`, condition, column);
}

function part(
  accountId: number,
  foundBy: FoundContact['found_by'],
  exact: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    select ${sql.lit(foundBy)} as found_by, ${exact} as exact, contact_id, contact_key,
      ${addressSql('email')} as email, ${addressSql('mobile')} as mobile, contact_type, created_at
    from contacts where account_id = ${accountId} and ${condition} order by ${order} limit ${sql.lit(loaded)})`;
}

function view(row: ContactRow, { registry, unmasked }: FindScope): FoundContact {
  const masked = (name: 'identity' | 'email' | 'mobile', value: string | null): string | null =>
    unmasked ? value : mask(fixedField(registry, name).masking, value);
  return {
    contact_id: row.contact_id,
    identity: masked('identity', row.contact_key.startsWith(anonymousPrefix) ? null : row.contact_key),
    email: masked('email', row.email),
    mobile: masked('mobile', row.mobile),
    contact_type: row.contact_type,
    created_at: row.created_at.toISOString(),
    found_by: row.found_by,
    exact: row.exact,
  };
}
