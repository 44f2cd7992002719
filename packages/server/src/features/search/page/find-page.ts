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

/** The columns to select for the rows of a page. */
type Columns = readonly RawBuilder<unknown>[];

/**
 * Finds the rows of a page, plus one row if more follow, and the number of matches on request.
 * All strategies have the same result. Tests choose one by `choose`.
 */
export async function findPage(
  db: Database,
  filter: ResolvedFilter,
  output: CheckedOutput,
  columns: Columns,
  choose = chooseStrategy,
): Promise<{ rows: readonly PageRow[]; count?: number }> {
  const { getCount, limit, offset, after } = output;
  // With a cursor, `collect` cannot count: it does not see the matches before the cursor.
  const strategy = await choose(db, filter, getCount && after === undefined, output.sorting);
  const page = readPage(db, filter, output, columns, strategy);
  if (!getCount) return { rows: await page };
  const countsItself = strategy === 'collect' && after === undefined;
  const [rows, counted] = await Promise.all([page, countsItself ? undefined : countMatches(db, filter)]);
  // If the page reaches the end, compute the count from it. A separate count could contradict the
  // page when contacts are written at the same time.
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

/**
 * True when the index on the first sort key has only the beginning of some value.
 * The check is fast, because the long values have an index of their own, which is usually empty.
 */
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

/**
 * Counts the matches of a filter exactly. `condition` selects them on the table `contacts`; exports
 * leave out more contacts than the filter does.
 */
export async function countMatches(
  db: Database,
  filter: ResolvedFilter,
  condition: RawBuilder<unknown> = compileFilter(filter),
): Promise<number> {
  return inOrderOfTable(db, filter, async (trx) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from contacts where ${condition}`.execute(trx);
    return rows[0]!.count;
  });
}

/**
 * Runs a statement that needs all matches of a filter, in any order.
 *
 * Disables plain index scans if the filter uses an index on attribute values. The planner believes
 * that reading contacts in index order is as cheap as in table order. Reading half a million
 * contacts takes 400 ms in index order, and 100 ms in table order.
 */
async function inOrderOfTable<T>(db: Database, filter: ResolvedFilter, run: (trx: Database) => Promise<T>): Promise<T> {
  if (!usesIndexedAttribute(filter)) return run(db);
  return db.transaction().execute(async (trx) => {
    await sql`set local enable_indexscan = off`.execute(trx);
    return run(trx);
  });
}
