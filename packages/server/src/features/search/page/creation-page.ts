import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { ResolvedFilter } from '../filter/checked-filter.ts';
import { compileAccount, isRestricted } from '../filter/compile.ts';
import type { CursorPosition } from './checked-output.ts';
import { blockKeyOf, indexOrderOf, orderBy, orderOf, type OrderKey } from './order.ts';
import { matchesOf, walk, type PageColumns, type PageMatches, type PageOutput } from './page.ts';

// Skipping fewer contacts one by one takes less than a millisecond.
const farOffset = 1000;

// Contacts of one moment are usually those of one request, which has up to 1,000.
const usualMoment = 2000;

/**
 * Finds the contacts of a page that is sorted by `created_at` and `contact_id`, in the order of the
 * index on `created_at`. The index does not have the `contact_id`, so it cannot skip contacts one by
 * one without reading them (docs/decisions/0038-disk-of-a-contact.md).
 *
 * Returns undefined when the page is after the last contact.
 */
export async function walkByCreation(
  db: Database,
  filter: ResolvedFilter,
  output: PageOutput,
  source: PageColumns['sourceColumns'],
): Promise<PageMatches | undefined> {
  if (output.after !== undefined) return afterPosition(filter, output, output.after, source);
  if (isFarPage(filter, output)) return farPage(db, filter, output);
  // More rows would be moved with all columns only to be skipped.
  return walk(filter, output, output.offset < farOffset ? source : undefined);
}

/**
 * True when the page begins so late that {@link walkByCreation} sends a statement of its own to find
 * the beginning. Both statements must read the same moment of the database.
 */
export function isFarPage(filter: ResolvedFilter, { offset }: PageOutput): boolean {
  // Contacts must be read to know whether they meet conditions.
  return offset >= farOffset && !isRestricted(filter);
}

/**
 * Reads the contacts of the same moment first, from the block of the position. A single condition
 * would read all contacts of that moment, and an import can give one sign-up date to half of the
 * account.
 */
function afterPosition(
  filter: ResolvedFilter,
  { sorting, limit }: PageOutput,
  after: CursorPosition,
  source: PageColumns['sourceColumns'],
): PageMatches {
  const [moment, id] = orderOf(sorting) as [OrderKey, OrderKey];
  const block = blockKeyOf(id);
  const ranges: { rows: RawBuilder<SqlBool>; keys: OrderKey[] }[] = [
    {
      rows: sql`${compare(moment, '=', after)} and ${compare(block, id.descending ? '<=' : '>=', after)}
        and ${compare(id, id.descending ? '<' : '>', after)}`,
      keys: [block, id],
    },
    { rows: compare(moment, moment.descending ? '<' : '>', after), keys: indexOrderOf(sorting) },
  ];
  // PostgreSQL reads the second range only if the first did not fill the page.
  const all = sql.join(
    ranges.map(
      ({ rows, keys }) => sql`
        select * from (
          ${matchesOf(filter, sorting, { source })} and ${rows} order by ${orderBy(keys)} limit ${limit + 1}
        ) as creation_range`,
    ),
    sql` union all `,
  );
  return { query: sql`${all} limit ${limit + 1}`, complete: true };
}

function compare(
  { expression, parameter, at }: OrderKey,
  operator: '<' | '<=' | '=' | '>=' | '>',
  position: CursorPosition,
): RawBuilder<SqlBool> {
  return sql`${expression} ${sql.raw(operator)} ${parameter(position[at]!)}`;
}

/** Finds the moment at which a page begins with the index alone, and reads the contacts from there. */
async function farPage(db: Database, filter: ResolvedFilter, output: PageOutput): Promise<PageMatches | undefined> {
  const { sorting, limit, offset } = output;
  const { descending } = orderOf(sorting)[0]!;
  const [direction, before, from] = descending ? [sql`desc`, sql`>`, sql`<=`] : [sql`asc`, sql`<`, sql`>=`];
  const ofAccount = sql`from contacts where ${compileAccount(filter)}`;
  // `remaining`: the contacts of the moment from the beginning of the page.
  const { rows } = await sql<{ moment: string; skipped: number }>`
    with start as (
      select created_at, count(*) as remaining from (
        select created_at ${ofAccount} order by created_at ${direction}
        offset ${offset} limit ${sql.lit(usualMoment)}
      ) as following
      group by created_at order by created_at ${direction} limit 1
    )
    select created_at::text as moment, case when remaining < ${sql.lit(usualMoment)}
      then (select count(*) ${ofAccount} and created_at = start.created_at) - remaining
      else ${offset}::bigint - (select count(*) ${ofAccount} and created_at ${before} start.created_at)
    end as skipped from start`.execute(db);
  const [start] = rows;
  if (start === undefined) return undefined;
  return {
    query: sql`
      ${matchesOf(filter, sorting)} and created_at ${from} ${start.moment}::timestamptz
      order by ${orderBy(indexOrderOf(sorting))} limit ${limit + 1} offset ${start.skipped}`,
  };
}
