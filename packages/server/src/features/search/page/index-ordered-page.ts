import { sql, type RawBuilder } from 'kysely';
import { hasOnlyBoundsOn, type ResolvedFilter } from '../filter/checked-filter.ts';
import { fieldSql } from '../filter/columns.ts';
import { compileAccount, compileBoundsOn, compileFilter } from '../filter/compile.ts';
import { indexRanges, type IndexRange } from './index-ranges.ts';
import { orderBy } from './order.ts';
import { contactsFor, sortColumn, sortColumns, type PageMatches, type PageOutput } from './page.ts';

// Limits how many contacts are read in index order, because the estimate of the matches can be
// wrong. Reading a million contacts in index order takes seconds, ten times as long as in table
// order. Reading 30,000 takes about 30 ms, and fills a page of 300 if one contact in a hundred
// matches.
const maxRead = 30_000;

/**
 * Finds the contacts of a page by the index on the first sort key, which must be an indexed
 * attribute. `cutOff` is true when the index has only the beginning of some values.
 *
 * If the filter has conditions on other fields, reads at most {@link maxRead} contacts of each
 * index range. If that is not enough to fill the page, all rows have `unfinished`, and the caller
 * must find the page in another way.
 */
export function follow(filter: ResolvedFilter, output: PageOutput, cutOff: boolean): PageMatches {
  const { sorting, limit, offset } = output;
  const bounded = !hasOnlyBoundsOn(sorting[0]!.field.attribute!, filter);
  const ranges = indexRanges(output, cutOff);
  // PostgreSQL reads a range only if the earlier ones did not fill the page.
  const all = sql.join(
    ranges.map(
      (range) =>
        sql`select * from (${readIndex(filter, output, range, cutOff)} limit ${limit + 1 + offset}) as index_range`,
    ),
    sql` union all `,
  );
  const page = sql`limit ${limit + 1} offset ${offset}`;
  if (!bounded) return { query: sql`${all} ${page}` };
  const columns = sql.join(sorting.map((_, index) => sql.ref(sortColumn(index))));
  return {
    query: sql`
      select ${columns}, bool_or(unfinished) over () as unfinished
      from (${all} limit ${limit + 1 + offset}) as matches ${page}`,
    bounded,
  };
}

/** Reads the matches in a range of the index, in index order. */
function readIndex(
  filter: ResolvedFilter,
  { sorting }: PageOutput,
  { rows, keys }: IndexRange,
  cutOff: boolean,
): RawBuilder<unknown> {
  // Conditions on the sort key itself become the start and the end of the index scan.
  const attribute = sorting[0]!.field.attribute!;
  const bounds = compileBoundsOn(attribute, filter);
  const where = sql.join([compileAccount(filter), ...bounds, rows], sql` and `);
  const values = [...valueColumn(sorting, cutOff), ...sortColumns(sorting).slice(cutOff ? 0 : 1)];
  const order = orderBy(keys);
  if (hasOnlyBoundsOn(attribute, filter)) {
    return sql`select ${sql.join(values)} from ${contactsFor(filter, sorting)} where ${where} order by ${order}`;
  }
  const keyColumns = keys.map(({ expression }, index) => sql`${expression} as ${keyColumn(index)}`);
  return sql`
    select ${sql.join(sorting.map((_, index) => sql.ref(sortColumn(index))))}, read = ${sql.lit(maxRead)} as unfinished from (
      select ${sql.join([...values, ...keyColumns])}, (${compileFilter(filter)}) as matches, row_number() over (order by ${order}) as read
      from ${contactsFor(filter, sorting)} where ${where} order by ${order} limit ${sql.lit(maxRead)}
    ) as contacts_read
    where matches or read = ${sql.lit(maxRead)}
    order by ${orderBy(keys, (_, index) => keyColumn(index))}`;
}

/**
 * Selects the slot as the value of the first sort key, unless it may have only the beginning. Then
 * PostgreSQL finds the page without reading the contacts.
 */
function valueColumn(sorting: PageOutput['sorting'], cutOff: boolean): RawBuilder<unknown>[] {
  return cutOff ? [] : [sql`${fieldSql(sorting[0]!.field).indexed!.valueOrNull} as ${sql.ref(sortColumn(0))}`];
}

function keyColumn(index: number): RawBuilder<unknown> {
  return sql.ref(`k${index}`);
}
