import { sql, type RawBuilder } from 'kysely';
import { hasOnlyBoundsOn, type ResolvedFilter } from '../filter/checked-filter.ts';
import { compileAccount, compileBoundsOn, compileFilter } from '../filter/compile.ts';
import { orderBy, orderOfIndex, rangesAfter, type IndexRange } from './order.ts';
import { sortColumn, sortColumns, type PageMatches, type PageOutput } from './page.ts';

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
 * index range. If that is not enough to fill the page, a row has `unfinished`, and the caller must
 * find the page in another way.
 */
export function follow(filter: ResolvedFilter, output: PageOutput, cutOff: boolean): PageMatches {
  const { sorting, limit, offset, after } = output;
  const keys = orderOfIndex(sorting, cutOff);
  const bounded = !hasOnlyBoundsOn(sorting[0]!.field.attribute!, filter);
  const read = (range: IndexRange) => sql`${readIndex(filter, output, range)} limit ${limit + 1} offset ${offset}`;
  if (after === undefined) return { query: read({ rows: sql`true`, keys }), bounded };

  const names = ['equal', 'beyond', 'without'].map((name) => sql.ref(name));
  const parts = rangesAfter(keys, after).map((range, index) => {
    if (index === 0) return sql`${names[0]} as materialized (${read(range)})`;
    // Subtract what earlier ranges found. With a limit of 0, PostgreSQL does not read the range.
    const found = names.slice(0, index).map((name) => sql` - (select count(*) from ${name})`);
    const rest = sql`select * from (${read(range)}) as index_range limit ${limit + 1}${sql.join(found, sql``)}`;
    return sql`${names[index]} as materialized (${rest})`;
  });
  const all = names.slice(0, parts.length).map((name) => sql`select * from ${name}`);
  return { query: sql`with ${sql.join(parts)} ${sql.join(all, sql` union all `)}`, bounded };
}

/** Reads the matches in a range of the index, in index order. */
function readIndex(filter: ResolvedFilter, { sorting }: PageOutput, { rows, keys }: IndexRange): RawBuilder<unknown> {
  // Conditions on the sort key itself become the start and the end of the index scan.
  const attribute = sorting[0]!.field.attribute!;
  const bounds = compileBoundsOn(attribute, filter);
  const where = sql.join([compileAccount(filter), ...bounds, rows], sql` and `);
  const values = sortColumns(sorting);
  const order = orderBy(keys);
  if (hasOnlyBoundsOn(attribute, filter)) {
    return sql`select ${sql.join(values)} from contacts where ${where} order by ${order}`;
  }
  const keyColumns = keys.map(({ expression }, index) => sql`${expression} as ${keyColumn(index)}`);
  return sql`
    select ${sql.join(sorting.map((_, index) => sql.ref(sortColumn(index))))}, read = ${sql.lit(maxRead)} as unfinished from (
      select ${sql.join([...values, ...keyColumns])}, (${compileFilter(filter)}) as matches, row_number() over (order by ${order}) as read
      from contacts where ${where} order by ${order} limit ${sql.lit(maxRead)}
    ) as contacts_read
    where matches or read = ${sql.lit(maxRead)}
    order by ${orderBy(keys, (_, index) => keyColumn(index))}`;
}

function keyColumn(index: number): RawBuilder<unknown> {
  return sql.ref(`k${index}`);
}
