import { sql, type RawBuilder } from 'kysely';
import type { ResolvedFilter } from '../filter/checked-filter.ts';
import type { CheckedOutput, SortKey } from './checked-output.ts';
import { fieldSql } from '../filter/columns.ts';
import { compileAccount, compileFilter } from '../filter/compile.ts';
import { derivedJoin } from '../filter/activities/derived-sql.ts';
import { indexOrderOf, orderBy, orderOf, rowsAfter } from './order.ts';

/** The parts of an output that decide which rows a page has. */
export type PageOutput = Pick<CheckedOutput, 'sorting' | 'limit' | 'offset' | 'after'>;

/** Returns the name of the column for a sort key. */
export function sortColumn(index: number): string {
  return `s${index}`;
}

/** Selects the values of the sort keys. */
export function sortColumns(sorting: readonly SortKey[]): RawBuilder<unknown>[] {
  return sorting.map(({ field }, index) => sql`${fieldSql(field).value} as ${sql.ref(sortColumn(index))}`);
}

/** The attributes of a row, decompressed once; see {@link documentJoin}. */
export const documentColumn = sql.ref('document.attributes');

/** A row of {@link pageQuery}: the selected columns, `total` and `unfinished`. */
export interface PageRow {
  readonly [column: string]: unknown;
  readonly total: number | null;
  readonly unfinished: boolean;
}

/**
 * A query for the sort keys of the contacts of a page. It returns up to `limit + 1` rows, to show
 * whether another page follows.
 */
export interface PageMatches {
  readonly query: RawBuilder<unknown>;
  /** True when the query has a column `total`: the number of matches after the position. */
  readonly counted?: boolean;
  /**
   * True when the query has a column `unfinished`. It is true in a row where reading stopped before
   * the page was full. Such a row may not match.
   */
  readonly bounded?: boolean;
}

/**
 * Makes the statement of a page.
 *
 * The inner query selects only sort keys: deep pages then need only an index, and sorting many
 * matches moves only small rows. The outer query fetches `columns` for the few rows of the page.
 * `columns` can use `contacts`, `page` and {@link documentColumn}.
 */
export function pageQuery(
  filter: ResolvedFilter,
  { sorting }: PageOutput,
  columns: readonly RawBuilder<unknown>[],
  { query, counted = false, bounded = false }: PageMatches,
): RawBuilder<PageRow> {
  const total = counted ? sql`page.total` : sql`null`;
  const unfinished = bounded ? sql`page.unfinished` : sql`false`;
  const id = sql.ref(`page.${sortColumn(sorting.length - 1)}`);
  return sql`
    select ${sql.join(columns)}, ${total} as total, ${unfinished} as unfinished
    from (${query}) as page
    join contacts on contacts.account_id = ${filter.accountId} and contacts.contact_id = ${id}
    ${documentJoin}
    order by ${orderBy(orderOf(sorting), (_, index) => sql.ref(`page.${sortColumn(index)}`))}`;
}

/**
 * Joins {@link documentColumn} to `contacts`.
 *
 * Large attributes are compressed, and each `->` would decompress them again: 100 fields of 1,000
 * such rows took a second. Appending `{}` makes a decompressed copy. OFFSET stops the planner from
 * copying the expression to each place where the column is used.
 */
export const documentJoin = sql`
    cross join lateral (select contacts.attributes || '{}' as attributes offset 0) as document`;

/**
 * Finds the contacts of a page as the planner decides. Often it reads an index in the order of the
 * page until it has enough matches.
 */
export function walk(filter: ResolvedFilter, output: PageOutput): PageMatches {
  const query = sql`${found(filter, output, 'all')} order by ${orderBy(indexOrderOf(output.sorting))} ${rowsOf(output)}`;
  return { query };
}

// Number of contacts that `peek` reads, in up to 4 ms. They usually fill a page of 10 if one contact
// in three hundred matches.
const peeked = 5000;

/**
 * Finds the page among the first contacts in its order. If they do not fill the page, all rows have
 * `unfinished`, and the caller must find the page in another way.
 */
export function peek(filter: ResolvedFilter, output: PageOutput): PageMatches {
  const { sorting, limit, offset, after } = output;
  const keys = indexOrderOf(sorting);
  const order = orderBy(keys);
  const position = after === undefined ? sql`` : sql` and ${rowsAfter(orderOf(sorting), after)}`;
  const names = sql.join(sorting.map((_, index) => sql.ref(sortColumn(index))));
  const keyColumn = (index: number) => sql.ref(`k${index}`);
  const keyColumns = sql.join(keys.map(({ expression }, index) => sql`${expression} as ${keyColumn(index)}`));
  // Not by `read`: PostgreSQL would sort all rows instead of stopping when the page is full.
  const readOrder = orderBy(keys, (_, index) => keyColumn(index));
  const query = sql`
    select ${names}, bool_or(unfinished) over () as unfinished from (
      select ${names}, read = ${sql.lit(peeked)} as unfinished from (
        select ${sql.join(sortColumns(sorting))}, ${keyColumns}, (${compileFilter(filter)}) as matches, row_number() over (order by ${order}) as read
        from ${contactsFor(filter, sorting)} where ${compileAccount(filter)}${position} order by ${order} limit ${sql.lit(peeked)}
      ) as contacts_read
      where matches or read = ${sql.lit(peeked)} order by ${readOrder} limit ${limit + 1 + offset}
    ) as matches ${rowsOf(output)}`;
  return { query, bounded: true };
}

/** Finds all matches, then sorts and counts them, and takes the page. */
export function collect(filter: ResolvedFilter, output: PageOutput): PageMatches {
  const order = orderBy(orderOf(output.sorting), (_, index) => sql.ref(sortColumn(index)));
  // OFFSET makes the planner find all matches first, without regard to the order and the limit.
  const query = sql`
    select *, count(*) over () as total from (${found(filter, output, 'each')} offset 0) as matches order by ${order} ${rowsOf(output)}`;
  return { query, counted: true };
}

function found(filter: ResolvedFilter, { sorting, after }: PageOutput, way: 'each' | 'all'): RawBuilder<unknown> {
  const position = after === undefined ? sql`` : sql` and ${rowsAfter(orderOf(sorting), after)}`;
  return sql`${matchesOf(filter, sorting, way)}${position}`;
}

/**
 * Selects the values of the sort keys of all matches. Conditions can follow. `way`: see
 * {@link derivedJoin}.
 */
export function matchesOf(
  filter: ResolvedFilter,
  sorting: readonly SortKey[],
  way: 'each' | 'all' = 'each',
): RawBuilder<unknown> {
  return sql`select ${sql.join(sortColumns(sorting))} from ${contactsFor(filter, sorting, way)} where ${compileFilter(filter)}`;
}

/** SQL of the contacts, with what their sort keys need. `way`: see {@link derivedJoin}. */
export function contactsFor(
  filter: ResolvedFilter,
  sorting: readonly SortKey[],
  way: 'each' | 'all' = 'each',
): RawBuilder<unknown> {
  const fields = sorting.map(({ field }) => field);
  return sql`contacts${derivedJoin(fields, filter, way)}`;
}

function rowsOf({ limit, offset }: PageOutput): RawBuilder<unknown> {
  return sql`limit ${limit + 1} offset ${offset}`;
}
