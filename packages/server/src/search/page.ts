import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StoredValue } from '../attributes/registry.ts';
import type { ResolvedFilter } from './checked-filter.ts';
import type { CheckedOutput, CursorPosition, SortKey } from './checked-output.ts';
import { fieldSql, type FieldSql } from './columns.ts';
import { compileFilter } from './compile.ts';
import type { Strategy } from './strategy.ts';

/** Name of the column with the value of a sort key. */
export function sortColumn(index: number): string {
  return `s${index}`;
}

/** The attributes of a row of the page, unpacked once however many of them are selected. */
export const documentColumn = sql.ref('document.attributes');

/** A row of {@link pageQuery}: the selected columns, and with the strategy `collect` the number of matches from the position on. */
export interface PageRow {
  readonly [column: string]: unknown;
  readonly total: number | null;
}

/**
 * The statement of one page: at most `limit + 1` rows, so that the caller sees whether another page follows.
 *
 * An inner query finds the contacts with nothing but their sort keys: deep pages run over an index alone, and sorting many matches
 * carries narrow rows. The outer query fetches `columns` (of `contacts`, `page` and {@link documentColumn}) of the few rows of the page.
 */
export function pageQuery(
  filter: ResolvedFilter,
  output: Pick<CheckedOutput, 'sorting' | 'limit' | 'offset' | 'after'>,
  columns: readonly RawBuilder<unknown>[],
  strategy: Strategy,
): RawBuilder<PageRow> {
  const { sorting, after } = output;
  const keys = sorting.map(({ field }, index) => sql`${fieldSql(field).value} as ${sql.ref(sortColumn(index))}`);
  const position = after === undefined ? sql`` : sql` and ${rowsAfter(sorting, after)}`;
  const found = sql`select ${sql.join(keys)} from contacts where ${compileFilter(filter)}${position}`;
  const byColumn = orderBy(sorting, (_, index) => sql.ref(sortColumn(index)));
  const matches =
    strategy === 'collect'
      ? // OFFSET keeps the planner from walking the index of the order: within it there is no order and no limit.
        sql`select *, count(*) over () as total from (${found} offset 0) as matches order by ${byColumn}`
      : sql`${found} order by ${orderBy(sorting, ({ field }) => fieldSql(field).value)}`;
  const total = strategy === 'collect' ? sql`page.total` : sql`null`;
  const id = sql.ref(`page.${sortColumn(sorting.length - 1)}`);
  return sql`
    select ${sql.join(columns)}, ${total} as total
    from (
      ${matches}
      limit ${output.limit + 1} offset ${output.offset}
    ) as page
    join contacts on contacts.account_id = ${filter.accountId} and contacts.contact_id = ${id}
    ${documentJoin}
    order by ${orderBy(sorting, (_, index) => sql.ref(`page.${sortColumn(index)}`))}`;
}

/**
 * Joins {@link documentColumn} to `contacts`.
 *
 * A large row is compressed, and every `->` on the column would unpack it again: 100 fields of 1000 such rows took a second. Appending
 * nothing gives the unpacked value, and OFFSET keeps the planner from putting the expression back in place of each mention.
 */
export const documentJoin = sql`
    cross join lateral (select contacts.attributes || '{}' as attributes offset 0) as document`;

/** For columns that are never null the plain order is asked for, because that is the order of the index. */
function orderBy(
  sorting: readonly SortKey[],
  expression: (key: SortKey, index: number) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql.join(
    sorting.map((key, index) => {
      const direction = !key.descending ? sql`` : fieldSql(key.field).notNull ? sql` desc` : sql` desc nulls last`;
      return sql`${expression(key, index)}${direction}`;
    }),
  );
}

/**
 * The rows that come after a position: greater in the first key, or equal in it and greater in the second, and so on.
 *
 * When the first key is never null, a plain bound on it comes before, which an index on it can start from.
 */
function rowsAfter(sorting: readonly SortKey[], position: CursorPosition): RawBuilder<SqlBool> {
  const keys = sorting.map((key, index) => ({ ...fieldSql(key.field), ...key, bound: position[index] ?? null }));
  const branches = keys.flatMap((key, index) => {
    const after = isAfter(key);
    if (after === undefined) return [];
    const equal = keys.slice(0, index).map(isEqual);
    return sql<SqlBool>`(${sql.join([...equal, after], sql` and `)})`;
  });
  const rest = sql<SqlBool>`(${sql.join(branches, sql` or `)})`;
  const first = keys[0]!;
  if (!first.notNull || first.bound === null || keys.length === 1) return rest;
  const bound = sql`${first.value} ${first.descending ? sql`<=` : sql`>=`} ${first.parameter(first.bound)}`;
  return sql`${bound} and ${rest}`;
}

interface PositionKey extends FieldSql {
  readonly descending: boolean;
  readonly bound: StoredValue | null;
}

/** Nulls come last in both directions, so nothing but the next keys comes after a null. */
function isAfter({ value, parameter, notNull, descending, bound }: PositionKey): RawBuilder<SqlBool> | undefined {
  if (bound === null) return undefined;
  const beyond = sql<SqlBool>`${value} ${descending ? sql`<` : sql`>`} ${parameter(bound)}`;
  return notNull ? beyond : sql`(${beyond} or ${value} is null)`;
}

function isEqual({ value, parameter, bound }: PositionKey): RawBuilder<SqlBool> {
  return bound === null ? sql`${value} is null` : sql`${value} = ${parameter(bound)}`;
}
