import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { usesIndexedAttribute, type ResolvedFilter } from '../filter/checked-filter.ts';
import type { CheckedOutput } from './checked-output.ts';
import { fieldSql } from '../filter/columns.ts';
import { compileAccount, compileFilter } from '../filter/compile.ts';
import { follow } from './index-ordered-page.ts';
import { isCutOff } from '../filter/indexed-values.ts';
import { collect, pageQuery, walk, type PageMatches, type PageRow } from './page.ts';
import { chooseStrategy, type Strategy } from './strategy.ts';

/** What is selected of the rows of a page. */
type Columns = readonly RawBuilder<unknown>[];

/**
 * The rows of a page, one more than its limit if there are more, and the number of matches when it was asked for. Tests choose the strategy:
 * all of them have the same result.
 */
export async function findPage(
  db: Database,
  filter: ResolvedFilter,
  output: CheckedOutput,
  columns: Columns,
  choose = chooseStrategy,
): Promise<{ rows: readonly PageRow[]; count?: number }> {
  const { getCount, limit, offset, after } = output;
  // Behind a cursor the matches before it are not collected.
  const strategy = await choose(db, filter, getCount && after === undefined, output.sorting);
  const page = readPage(db, filter, output, columns, strategy);
  if (!getCount) return { rows: await page };
  const countsItself = strategy === 'collect' && after === undefined;
  const [rows, counted] = await Promise.all([page, countsItself ? undefined : countMatches(db, filter)]);
  // When the page shows the end, it is the count itself: the two then cannot contradict each other while contacts are written.
  const complete = rows.length <= limit && after === undefined && (rows.length > 0 || offset === 0);
  const count = complete ? offset + rows.length : (counted ?? rows[0]?.total);
  return { rows, count: count ?? (await countMatches(db, filter)) };
}

async function readPage(
  db: Database,
  filter: ResolvedFilter,
  output: CheckedOutput,
  columns: Columns,
  strategy: Strategy,
): Promise<readonly PageRow[]> {
  const read = async (matches: PageMatches, on = db) =>
    (await pageQuery(filter, output, columns, matches).execute(on)).rows;
  if (strategy === 'collect') return inOrderOfTable(db, filter, (trx) => read(collect(filter, output), trx));
  if (strategy === 'walk') return read(walk(filter, output));
  const rows = await read(follow(filter, output, await hasCutOffValues(db, filter, output)));
  return rows.some(({ unfinished }) => unfinished) ? read(walk(filter, output)) : rows;
}

/** True when the index on the first sort key has only the beginning of some value. An index of such contacts answers it, nearly always empty. */
async function hasCutOffValues(
  db: Database,
  filter: ResolvedFilter,
  { sorting, after }: CheckedOutput,
): Promise<boolean> {
  const condition = fieldSql(sorting[0]!.field).indexed?.cutOff;
  if (condition === undefined) return false;
  if (after !== undefined && isCutOff(String(after[0]))) return true;
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from contacts where ${compileAccount(filter)} and ${condition}) as found`.execute(db);
  return rows[0]!.found;
}

/** The number of matches of a filter, exact. */
export async function countMatches(db: Database, filter: ResolvedFilter): Promise<number> {
  return inOrderOfTable(db, filter, async (trx) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from contacts where ${compileFilter(filter)}`.execute(trx);
    return rows[0]!.count;
  });
}

/**
 * Runs a statement that needs all matches of a filter, in any order.
 *
 * The server takes fetching contacts one by one, in the order of an index on values, for as cheap as fetching them in the order of the table.
 * Half of a million contacts take 400 ms in the one way and 100 in the other. No other index fetches many contacts one by one.
 */
async function inOrderOfTable<T>(db: Database, filter: ResolvedFilter, run: (trx: Database) => Promise<T>): Promise<T> {
  if (!usesIndexedAttribute(filter)) return run(db);
  return db.transaction().execute(async (trx) => {
    await sql`set local enable_indexscan = off`.execute(trx);
    return run(trx);
  });
}
