import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Attribute, StoredValue } from '#features/registry/registry.ts';
import { attributeSql } from '#features/search/filter/attribute-columns.ts';
import { operations } from '#features/search/filter/operations.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { opaqueAccount } from '#platform/database/statements/opaque-account.ts';
import type { ValuesWanted } from './frequent-values.ts';

/** The most frequent values of an attribute, and how many contacts and values there are. */
export interface ValueCounts {
  readonly values: readonly { readonly value: StoredValue; readonly count: number }[];
  /** Number of contacts with a value. */
  readonly contacts: number;
  /** Number of different values. */
  readonly distinct: number;
}

/** Returns the largest contact_id that the account ever used; 0 for none. */
export async function lastContactId(db: Database, accountId: number): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select last_contact_id as last from contact_numbers where account_id = ${accountId}`.execute(db);
  return rows[0]?.last ?? 0;
}

/** Counts the values of all contacts. */
export async function countAll(
  db: Database,
  accountId: number,
  attribute: Attribute,
  wanted: ValuesWanted,
): Promise<ValueCounts> {
  const rows = sql`contacts where contacts.account_id = ${accountId} and ${has(attribute)}`;
  return count(db, rows, attribute, wanted);
}

/**
 * Counts the values that begin with the wanted text, by the index of the attribute. Returns
 * undefined when more than `most` contacts have one.
 */
export async function countStart(
  db: Database,
  accountId: number,
  attribute: Attribute,
  wanted: ValuesWanted,
  most: number,
): Promise<ValueCounts | undefined> {
  const starts = operations.starts_with.sql(attributeSql(attribute), [wanted.contains!]);
  const rows = sql`(
    select attributes from contacts where contacts.account_id = ${sql.lit(accountId)} and ${starts} limit ${most + 1}) contacts where true`;
  const counts = await count(db, rows, attribute, wanted);
  return counts.contacts > most ? undefined : counts;
}

/**
 * Counts the values of a sample. The numbers of all contacts are divided into equal parts, and one
 * contact of each part is taken by a hash: numbers at equal distances would miss values that repeat
 * in the imported file. `found` is the number of contacts that exist.
 */
export async function countSample(
  db: Database,
  accountId: number,
  attribute: Attribute,
  wanted: ValuesWanted,
  { last, size }: { readonly last: number; readonly size: number },
): Promise<ValueCounts & { readonly found: number }> {
  // From 0 (exclusive) to 1, always the same for a part.
  const place = sql`(hashint4(n)::float8 + 2147483649) / 4294967296`;
  const sample = sql`
    select c.attributes from generate_series(1, ${size}) as n cross join lateral (
      select attributes from contacts
      where contacts.account_id = ${opaqueAccount(accountId)} and contacts.contact_id = ceil((n - 1 + ${place}) * ${last} / ${size})::bigint
    ) c`;
  const { rows } = await sql<CountRow & { found: number }>`
    with sample as materialized (${sample}), counted as (${counted(sql`sample contacts where ${has(attribute)}`, attribute, wanted)})
    select top.*, (select count(*)::int from sample) as found
    from (select 1) one left join (${topOf(wanted)}) top on true`.execute(db);
  return { ...countsOf(rows), found: rows[0]!.found };
}

interface CountRow {
  readonly value: StoredValue | null;
  readonly count: number;
  readonly contacts: number;
  readonly distinct: number;
}

async function count(
  db: Database,
  rows: RawBuilder<unknown>,
  attribute: Attribute,
  wanted: ValuesWanted,
): Promise<ValueCounts> {
  const result = await sql<CountRow>`with counted as (${counted(rows, attribute, wanted)}) ${topOf(wanted)}`.execute(
    db,
  );
  return countsOf(result.rows);
}

/** Groups rows by the value, and keeps the values that contain the wanted text. */
function counted(from: RawBuilder<unknown>, { key, dataType }: Attribute, { contains }: ValuesWanted) {
  const name = sql.lit(key);
  // A text attribute can still have numbers for a short time after its type changed.
  const value = dataType === 'text' ? sql`to_jsonb(attributes->>${name})` : sql`attributes->${name}`;
  const condition =
    contains === undefined ? sql`` : sql`where strpos(lower(value #>> '{}'), lower(${contains}::text)) > 0`;
  return sql`select value, count(*)::int as count from (select ${value} as value from ${from}) v ${condition} group by value`;
}

function topOf({ limit }: ValuesWanted): RawBuilder<unknown> {
  return sql`
    select value, count, (sum(count) over ())::int as contacts, (count(*) over ())::int as distinct
    from counted order by count desc, value limit ${limit}`;
}

function countsOf(rows: readonly CountRow[]): ValueCounts {
  const values = rows.flatMap(({ value, count: contacts }) => (value === null ? [] : [{ value, count: contacts }]));
  return { values, contacts: rows[0]?.contacts ?? 0, distinct: rows[0]?.distinct ?? 0 };
}

function has({ key }: Attribute): RawBuilder<SqlBool> {
  return sql<SqlBool>`attributes ? ${sql.lit(key)}`;
}
