import { sql, type RawBuilder } from 'kysely';
import type { ResolvedFilter } from '../filter/checked-filter.ts';
import type { CheckedOutput, SortKey } from './checked-output.ts';
import { fieldSql } from '../filter/columns.ts';
import { compileFilter } from '../filter/compile.ts';
import { orderBy, orderOf, rowsAfter } from './order.ts';

/** Which rows a page has. */
export type PageOutput = Pick<CheckedOutput, 'sorting' | 'limit' | 'offset' | 'after'>;

/** Name of the column with the value of a sort key. */
export function sortColumn(index: number): string {
  return `s${index}`;
}

/** The values of the sort keys, as columns of their own. */
export function sortColumns(sorting: readonly SortKey[]): RawBuilder<unknown>[] {
  return sorting.map(({ field }, index) => sql`${fieldSql(field).value} as ${sql.ref(sortColumn(index))}`);
}

/** The attributes of a row of the page, unpacked once however many of them are selected. */
export const documentColumn = sql.ref('document.attributes');

/** A row of {@link pageQuery}: the selected columns, and what {@link PageMatches} says of the matches. */
export interface PageRow {
  readonly [column: string]: unknown;
  readonly total: number | null;
  readonly unfinished: boolean;
}

/** A query for the sort keys of the contacts of a page: at most `limit + 1` rows, so that the caller sees whether another page follows. */
export interface PageMatches {
  readonly query: RawBuilder<unknown>;
  /** True when it has a column `total`: the number of matches from the position on. */
  readonly counted?: boolean;
  /** True when it has a column `unfinished`: reading ended at this row, which need not match, before the page was full. */
  readonly bounded?: boolean;
}

/**
 * The statement of one page.
 *
 * An inner query finds the contacts with nothing but their sort keys: deep pages run over an index alone, and sorting many matches
 * carries narrow rows. The outer query fetches `columns` (of `contacts`, `page` and {@link documentColumn}) of the few rows of the page.
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
 * A large row is compressed, and every `->` on the column would unpack it again: 100 fields of 1000 such rows took a second. Appending
 * nothing gives the unpacked value, and OFFSET keeps the planner from putting the expression back in place of each mention.
 */
export const documentJoin = sql`
    cross join lateral (select contacts.attributes || '{}' as attributes offset 0) as document`;

/** The contacts of a page as the server finds them best, often by walking an index in the order of the page until enough matched. */
export function walk(filter: ResolvedFilter, output: PageOutput): PageMatches {
  const query = sql`${found(filter, output)} order by ${orderBy(orderOf(output.sorting))} ${rowsOf(output)}`;
  return { query };
}

/** The contacts of a page out of all matches, which are found first, then sorted and counted on the way. */
export function collect(filter: ResolvedFilter, output: PageOutput): PageMatches {
  const order = orderBy(orderOf(output.sorting), (_, index) => sql.ref(sortColumn(index)));
  // OFFSET keeps the planner from walking the index of the order: within it there is no order and no limit.
  const query = sql`
    select *, count(*) over () as total from (${found(filter, output)} offset 0) as matches order by ${order} ${rowsOf(output)}`;
  return { query, counted: true };
}

function found(filter: ResolvedFilter, { sorting, after }: PageOutput): RawBuilder<unknown> {
  const position = after === undefined ? sql`` : sql` and ${rowsAfter(orderOf(sorting), after)}`;
  return sql`select ${sql.join(sortColumns(sorting))} from contacts where ${compileFilter(filter)}${position}`;
}

function rowsOf({ limit, offset }: PageOutput): RawBuilder<unknown> {
  return sql`limit ${limit + 1} offset ${offset}`;
}
