import { sql } from 'kysely';
import { compileFilter } from '../filter/compile.ts';
import type { ResolvedFilter } from '../filter/checked-filter.ts';
import { derivedJoin, derivedRows, isOfContact, tableOf } from '../filter/activities/derived-sql.ts';
import { millisecondsPerDay } from '#platform/time/intervals.ts';
import type { Field } from '../filter/fields.ts';
import { orderBy, orderOf, rowsAfter } from './order.ts';
import { sortColumns, type PageMatches, type PageOutput } from './page.ts';

// Number of summaries in which the page is looked for. Finding their contacts takes some
// milliseconds, and they usually fill a page if one contact in some hundred matches.
const leaders = 5000;

/** True when {@link lead} can find the page: it is not too deep, and has not reached the nulls. */
export function canLead({ limit, offset, after }: PageOutput): boolean {
  return limit + offset < leaders / 2 && after?.[0] !== null;
}

// The messages of so many days are looked at to find those to whom something was sent last.
const leadingDays = 30;

/**
 * Finds the page among the rows with the first values of the first sort key, which is a derived
 * attribute. Reading and sorting these rows alone takes a third of the time of joining all of them
 * to their contacts.
 *
 * More rows can have the value of the last one that is read. So contacts with this value are left
 * out. If less than a full page is found, the caller must find the page in another way.
 */
export function lead(filter: ResolvedFilter, output: PageOutput): PageMatches {
  const { sorting, limit, offset, after } = output;
  const keys = orderOf(sorting);
  const { expression: value, descending, parameter } = keys[0]!;
  const bound = after?.[0] ?? undefined;
  const from = bound === undefined ? sql`` : sql` and ${value} ${descending ? sql`<=` : sql`>=`} ${parameter(bound)}`;
  const position = after === undefined ? sql`` : sql` and ${rowsAfter(keys, after)}`;
  const all = sorting.map(({ field }) => field);
  const first = all[0]!;
  const name = tableOf(first.derived!);
  const [own, others] = [true, false].map((isOwn) =>
    all.filter(({ derived }) => (derived !== undefined && tableOf(derived) === name) === isOwn),
  ) as [Field[], Field[]];
  const start = Math.min(filter.clock.now, typeof bound === 'string' ? Date.parse(bound) : Number.POSITIVE_INFINITY);
  // Who got something after a moment comes before all others, so older messages are not needed. Other
  // attributes about sent messages need them.
  const isLastSent = descending && first.derived!.value.kind === 'last_sent' && own.length === 1;
  const recent = Math.max(filter.oldestActivity, start - leadingDays * millisecondsPerDay);
  const account = isLastSent ? { ...filter, oldestActivity: recent } : filter;
  const query = sql`
    with ${sql.ref(name)} as materialized (
      select * from (${derivedRows(name, own, account)}) as ${sql.ref(name)} where ${value} is not null${from}
      order by ${value}${descending ? sql` desc` : sql``} limit ${sql.lit(leaders)}
    )
    select ${sql.join(sortColumns(sorting))} from ${sql.ref(name)} join contacts on ${isOfContact(name)}${derivedJoin(others, filter, 'each')}
    where ${compileFilter(filter)} and ${value} ${descending ? sql`>` : sql`<`} (
      select ${descending ? sql`min` : sql`max`}(${value}) from ${sql.ref(name)})${position}
    order by ${orderBy(keys)} limit ${limit + 1} offset ${offset}`;
  return { query };
}
