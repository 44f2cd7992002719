import { sql, type RawBuilder } from 'kysely';
import { hasOnlyBoundsOn, type ResolvedFilter } from '../filter/checked-filter.ts';
import { compileAccount, compileBoundsOn, compileFilter } from '../filter/compile.ts';
import { orderBy, orderOfIndex, stretchesAfter, type Stretch } from './order.ts';
import { sortColumn, sortColumns, type PageMatches, type PageOutput } from './page.ts';

// Where one contact in a hundred matches, these fill pages of 300; reading them takes some 30 ms. The estimate of the matches can be wrong,
// and reading a million contacts in the order of an index takes seconds, ten times as long as in the order of the table.
const mostRead = 30_000;

/**
 * The contacts of a page, read from the index on the first sort key, which must be an indexed attribute.
 *
 * With conditions on other fields at most {@link mostRead} contacts of each stretch are looked at; when that ends before the page is full, a row
 * says so, and the page must be found in another way. `cutOff` is true when the index has only the beginning of some values.
 */
export function follow(filter: ResolvedFilter, output: PageOutput, cutOff: boolean): PageMatches {
  const { sorting, limit, offset, after } = output;
  const keys = orderOfIndex(sorting, cutOff);
  const bounded = !hasOnlyBoundsOn(sorting[0]!.field.attribute!, filter);
  const read = (stretch: Stretch) => sql`${readIndex(filter, output, stretch)} limit ${limit + 1} offset ${offset}`;
  if (after === undefined) return { query: read({ rows: sql`true`, keys }), bounded };

  const names = ['equal', 'beyond', 'without'].map((name) => sql.ref(name));
  const parts = stretchesAfter(keys, after).map((stretch, index) => {
    if (index === 0) return sql`${names[0]} as materialized (${read(stretch)})`;
    // Less what the stretches before have found. With a limit of 0 the server does not begin to read.
    const found = names.slice(0, index).map((name) => sql` - (select count(*) from ${name})`);
    const rest = sql`select * from (${read(stretch)}) as stretch limit ${limit + 1}${sql.join(found, sql``)}`;
    return sql`${names[index]} as materialized (${rest})`;
  });
  const all = names.slice(0, parts.length).map((name) => sql`select * from ${name}`);
  return { query: sql`with ${sql.join(parts)} ${sql.join(all, sql` union all `)}`, bounded };
}

/** The matches within a stretch of the index, in its order. */
function readIndex(filter: ResolvedFilter, { sorting }: PageOutput, { rows, keys }: Stretch): RawBuilder<unknown> {
  // What the filter says of the sort key itself is where reading begins and ends.
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
    select ${sql.join(sorting.map((_, index) => sql.ref(sortColumn(index))))}, read = ${sql.lit(mostRead)} as unfinished from (
      select ${sql.join([...values, ...keyColumns])}, (${compileFilter(filter)}) as matches, row_number() over (order by ${order}) as read
      from contacts where ${where} order by ${order} limit ${sql.lit(mostRead)}
    ) as contacts_read
    where matches or read = ${sql.lit(mostRead)}
    order by ${orderBy(keys, (_, index) => keyColumn(index))}`;
}

function keyColumn(index: number): RawBuilder<unknown> {
  return sql.ref(`k${index}`);
}
