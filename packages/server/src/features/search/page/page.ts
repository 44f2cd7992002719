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

/** What a page shows of its contacts. */
export interface PageColumns {
  /** Expressions on `contacts`, with names. */
  readonly valueColumns: readonly RawBuilder<unknown>[];
  /** The columns of `contacts` that they use. */
  readonly sourceColumns: ReadonlySet<string>;
  /** {@link documentJoin} if they use {@link documentColumn}; otherwise nothing. */
  readonly join: RawBuilder<unknown>;
}

/** For a page of which only the sort keys are read. */
export const noColumns: PageColumns = { valueColumns: [], sourceColumns: new Set(), join: sql`` };

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
  /** True when the query has the source columns of the page ({@link PageColumns}). */
  readonly complete?: boolean;
}

/**
 * Makes the statement of a page.
 *
 * The inner query selects only sort keys: deep pages then need only an index, and sorting many
 * matches moves only small rows. The outer query fetches the columns for the few rows of the page.
 *
 * A complete inner query already has these columns. For a small page, planning takes longer than
 * reading, and without the second look at the contacts it takes half the time.
 */
export function pageQuery(
  filter: ResolvedFilter,
  { sorting }: PageOutput,
  { valueColumns, join }: PageColumns,
  { query, counted = false, bounded = false, complete = false }: PageMatches,
): RawBuilder<PageRow> {
  const keys = sorting.map((_, index) => sql.ref(sortColumn(index)));
  const total = counted ? sql`total` : sql`null`;
  const unfinished = bounded ? sql`unfinished` : sql`false`;
  const contacts = complete
    ? sql`(${query}) as contacts`
    : sql`(${query}) as page join contacts on contacts.account_id = ${filter.accountId} and contacts.contact_id = ${keys.at(-1)}`;
  return sql`
    select ${sql.join([...valueColumns, ...keys])}, ${total} as total, ${unfinished} as unfinished
    from ${contacts}${join}
    order by ${orderBy(orderOf(sorting), (_, index) => keys[index]!)}`;
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
export function walk(filter: ResolvedFilter, output: PageOutput, source?: SourceColumns): PageMatches {
  const query = sql`${found(filter, output, 'all', source)} order by ${orderBy(indexOrderOf(output.sorting))} ${rowsOf(output)}`;
  return { query, complete: source !== undefined };
}

/**
 * Finds the page among the first contacts in its order. If `peeked` contacts do not fill the page,
 * all rows have `unfinished`, and the caller must find the page in another way.
 */
export function peek(filter: ResolvedFilter, output: PageOutput, source: SourceColumns, peeked: number): PageMatches {
  const { sorting, limit, offset, after } = output;
  const keys = indexOrderOf(sorting);
  const order = orderBy(keys);
  const position = after === undefined ? sql`` : sql` and ${rowsAfter(orderOf(sorting), after)}`;
  const columns = columnsOf(sorting, source);
  const names = sql.join([
    ...sorting.map((_, index) => sql.ref(sortColumn(index))),
    ...Array.from(source, (name) => sql.ref(name)),
  ]);
  const keyColumn = (index: number) => sql.ref(`k${index}`);
  const keyColumns = sql.join(keys.map(({ expression }, index) => sql`${expression} as ${keyColumn(index)}`));
  // Not by `read`: PostgreSQL would sort all rows instead of stopping when the page is full.
  const readOrder = orderBy(keys, (_, index) => keyColumn(index));
  const query = sql`
    select ${names}, bool_or(unfinished) over () as unfinished from (
      select ${names}, read = ${sql.lit(peeked)} as unfinished from (
        select ${sql.join(columns)}, ${keyColumns}, (${compileFilter(filter)}) as matches, row_number() over (order by ${order}) as read
        from ${contactsFor(filter, sorting)} where ${compileAccount(filter)}${position} order by ${order} limit ${sql.lit(peeked)}
      ) as contacts_read
      where matches or read = ${sql.lit(peeked)} order by ${readOrder} limit ${limit + 1 + offset}
    ) as matches ${rowsOf(output)}`;
  return { query, bounded: true, complete: true };
}

/** Finds all matches, then sorts them, and counts them on request, and takes the page. */
export function collect(
  filter: ResolvedFilter,
  output: PageOutput & Pick<CheckedOutput, 'getCount'>,
  source?: SourceColumns,
): PageMatches {
  const { sorting, getCount } = output;
  const order = orderBy(orderOf(sorting), (_, index) => sql.ref(sortColumn(index)));
  const total = getCount ? sql`, count(*) over () as total` : sql``;
  // OFFSET makes the planner find all matches first, without regard to the order and the limit.
  const query = sql`
    select *${total} from (${found(filter, output, 'each', source)} offset 0) as matches order by ${order} ${rowsOf(output)}`;
  return { query, counted: getCount, complete: source !== undefined };
}

function found(
  filter: ResolvedFilter,
  { sorting, after }: PageOutput,
  way: 'each' | 'all',
  source: SourceColumns | undefined,
): RawBuilder<unknown> {
  const position = after === undefined ? sql`` : sql` and ${rowsAfter(orderOf(sorting), after)}`;
  return sql`${matchesOf(filter, sorting, { way, source })}${position}`;
}

type SourceColumns = PageColumns['sourceColumns'];

/**
 * Selects the values of the sort keys of all matches, and the source columns of the page if they are
 * given. Conditions can follow. `way`: see {@link derivedJoin}.
 */
export function matchesOf(
  filter: ResolvedFilter,
  sorting: readonly SortKey[],
  { way = 'each', source }: { readonly way?: 'each' | 'all'; readonly source?: SourceColumns | undefined } = {},
): RawBuilder<unknown> {
  return sql`select ${sql.join(columnsOf(sorting, source))} from ${contactsFor(filter, sorting, way)} where ${compileFilter(filter)}`;
}

function columnsOf(sorting: readonly SortKey[], source: SourceColumns = new Set()): RawBuilder<unknown>[] {
  return [...sortColumns(sorting), ...Array.from(source, (name) => sql.ref(`contacts.${name}`))];
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
