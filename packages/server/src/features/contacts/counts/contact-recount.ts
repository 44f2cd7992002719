import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { CountChanges } from './contact-count-store.ts';
import { countColumns, countedTypes, eventColumns, levelColumns, quarterHour, totalColumns } from './count-columns.ts';

const reaches = (channel: 'email' | 'sms' | 'whatsapp', address: 'email' | 'mobile'): string =>
  `${address} is not null and not ${channel}_opted_out and contact_type <> 'blacklisted'`;

/** The condition of the contacts that each number of `contact_totals` counts. */
const conditions: Readonly<Record<(typeof totalColumns)[number], string>> = {
  ...(Object.fromEntries(countedTypes.map((type) => [type, `contact_type = '${type}'`])) as Record<
    (typeof countedTypes)[number],
    string
  >),
  email_reach: reaches('email', 'email'),
  sms_reach: reaches('sms', 'mobile'),
  whatsapp_reach: reaches('whatsapp', 'mobile'),
  identities: `not starts_with(contact_key, 'anonymous/')`,
};

/** SQL of an array with columns of a table, which are 0 where the table has no row. */
function numbers(table: string, columns: readonly string[]): RawBuilder<number[]> {
  return sql.raw(`array[${columns.map((name) => `coalesce(${table}.${name}, 0)`).join(', ')}]::float8[]`);
}

interface Compared {
  /** Milliseconds since 1970; null in the row of the totals. */
  readonly start: number | null;
  /** The number of contacts that were created then. */
  readonly contacts: number;
  /** Counted from the contacts: the numbers of `totalColumns`. */
  readonly counted: readonly number[];
  /** The row of `contact_counts`, or of `contact_totals`. */
  readonly stored: readonly number[];
}

/** How to correct counts of contacts. */
export interface CorrectionOptions {
  readonly at: Date;
  /** True when the contacts of the account were never counted. */
  readonly isFirst: boolean;
}

/**
 * Compares the counts of an account with its contacts, and returns what to add to the counts.
 *
 * It reads everything in one statement, which sees either all writes of a transaction or none. So
 * the result is exact, also while batches are applied.
 *
 * Former types and reach of contacts are not stored elsewhere. So a difference is added to the
 * quarter of `at`. With `isFirst`, the present type and reach count from the creation of a contact.
 */
export async function compareContactCounts(
  db: Database,
  accountId: number,
  { at, isFirst }: CorrectionOptions,
): Promise<CountChanges> {
  const { rows } = await sql<Compared>`
    with own as (
      select date_bin('15 minutes', created_at, 'epoch') as starts_at, count(*) as contacts,
        ${sql.raw(totalColumns.map((name) => `count(*) filter (where ${conditions[name]}) as ${name}`).join(', '))}
      from contacts where account_id = ${accountId} group by 1
    ), stored as (
      select * from contact_counts where account_id = ${accountId}
    )
    select (extract(epoch from coalesce(own.starts_at, stored.starts_at)) * 1000)::float8 as start,
      coalesce(own.contacts, 0) as contacts, ${numbers('own', totalColumns)} as counted, ${numbers('stored', countColumns)} as stored
    from own full join stored on stored.starts_at = own.starts_at
    union all
    select null, 0, '{}', ${numbers('t', totalColumns)}
    from (select) as one left join contact_totals t on t.account_id = ${accountId}`.execute(db);
  return changesOf(rows, Math.floor(at.getTime() / quarterHour) * quarterHour, isFirst);
}

function changesOf(rows: readonly Compared[], now: number, isFirst: boolean): CountChanges {
  const storedTotals = rows.find(({ start }) => start === null)!.stored;
  const quarters = new Map<number, number[]>();
  const counted = totalColumns.map(() => 0);
  const history = levelColumns.map(() => 0);
  const levelsFrom = eventColumns.length;
  for (const row of rows) {
    if (row.start === null) continue;
    const change = countColumns.map(() => 0);
    const [created = 0, , createdSinceDeleted = 0] = row.stored;
    change[0] = row.contacts + createdSinceDeleted - created;
    for (const at of counted.keys()) counted[at]! += row.counted[at]!;
    for (const at of history.keys()) {
      history[at]! += row.stored[levelsFrom + at]!;
      if (isFirst) change[levelsFrom + at] = row.counted[at]! - row.stored[levelsFrom + at]!;
    }
    quarters.set(row.start, change);
  }
  if (!isFirst) {
    const change = quarters.get(now) ?? countColumns.map(() => 0);
    for (const at of history.keys()) change[levelsFrom + at]! += counted[at]! - history[at]!;
    quarters.set(now, change);
  }
  return {
    quarters: new Map([...quarters].filter(([, change]) => change.some((by) => by !== 0))),
    totals: counted.map((number, at) => number - storedTotals[at]!),
  };
}

/**
 * Compares the numbers of contacts that have a value of each attribute, and returns what to add to
 * the stored numbers, by attribute_id. Exact, like {@link compareContactCounts}.
 */
export async function compareFills(db: Database, accountId: number): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ attribute_id: number; difference: number }>`
    with own as (
      select substr(key, ${String(accountId).length + 2})::int as attribute_id, count(*) as filled
      from contacts, jsonb_object_keys(attributes) as key where account_id = ${accountId} group by 1
    )
    select a.attribute_id, coalesce(own.filled, 0) - coalesce(f.filled, 0) as difference
    from attributes a
      left join own on own.attribute_id = a.attribute_id
      left join attribute_fills f on f.account_id = a.account_id and f.attribute_id = a.attribute_id
    where a.account_id = ${accountId} and coalesce(own.filled, 0) <> coalesce(f.filled, 0)`.execute(db);
  return new Map(rows.map(({ attribute_id: id, difference }) => [id, difference]));
}
