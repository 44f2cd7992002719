import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { plannedRows } from '#platform/database/statements/planned-rows.ts';
import {
  groupsActivities,
  hasOnlyRanges,
  needsOnlyIndex,
  usesActivities,
  usesIndexedAttribute,
  type ResolvedFilter,
} from '../filter/checked-filter.ts';
import type { CheckedOutput } from './checked-output.ts';
import { findMoves } from '../filter/activities/find-moves.ts';
import { fieldSql } from '../filter/columns.ts';
import { compileAccount, compileFilter, isRestricted } from '../filter/compile.ts';
import { follow } from './index-ordered-page.ts';
import { isFarPage, walkByCreation } from './creation-page.ts';
import { canLead, lead } from './leading-page.ts';
import { isByCreation } from './order.ts';
import { isWhole } from '#features/registry/slots/slot-value.ts';
import { collect, pageQuery, peek, walk, type PageColumns, type PageMatches, type PageRow } from './page.ts';
import { chooseStrategy, fewMatches, hasIndexedOrder, matchesAtMost, tooFewToPeek, type Choice } from './strategy.ts';

// Sorting so few matches with all columns of the page takes less time than planning another look at
// the contacts.
const completeMatches = 1000;

// A peek reads as many contacts as it expects matches, within these limits, in up to 4 to 15 ms. 5,000
// contacts usually fill a page of 10 if one in three hundred matches.
const peeked = { min: 5000, max: 20_000 };

// Collecting a match takes as long as reading so many contacts in the order of a page.
const readsPerMatch = 4;

// Number of contacts that are read while a range is counted, in up to 0.4 ms. They usually fill a page
// of 10 if one contact in thirty matches.
const glanced = 500;

/**
 * Finds the rows of a page, plus one row if more follow, and the number of matches on request.
 * All strategies have the same result. Tests choose one by `choose`. Then {@link glance} is not used.
 */
export async function findPage(
  db: Database,
  filter: ResolvedFilter,
  output: CheckedOutput,
  columns: PageColumns,
  choose?: typeof chooseStrategy,
): Promise<{ rows: readonly PageRow[]; count?: number }> {
  const { getCount, limit, offset, after } = output;
  // Counting with an index alone is as fast as asking the planner for an estimate, and exact.
  const countsFirst = getCount && isRestricted(filter) && needsOnlyIndex(filter);
  const [known, first] = countsFirst
    ? await Promise.all([
        countMatches(db, filter),
        choose === undefined ? glance(db, filter, output, columns) : undefined,
      ])
    : [];
  if (known !== undefined && first !== undefined) return { rows: first, count: known };
  const choice = await (choose ?? chooseStrategy)(db, filter, output, known);
  const countsItself = getCount && known === undefined && choice.strategy === 'collect' && after === undefined;
  const ofPage = { ...output, getCount: countsItself };
  const page = atOneMoment(db, filter, (trx, given) => readPage(trx, given, ofPage, columns, choice, known));
  if (!getCount) return { rows: await page };
  const [rows, counted] = await Promise.all([page, countsItself ? undefined : (known ?? countMatches(db, filter))]);
  // If the page reaches the end, compute the count from it. A separate count could contradict the
  // page when contacts are written at the same time.
  const complete = rows.length <= limit && after === undefined && (rows.length > 0 || offset === 0);
  const count = complete ? offset + rows.length : (counted ?? rows[0]?.total);
  return { rows, count: count ?? (await countMatches(db, filter)) };
}

/**
 * Looks for a page of a range among the first contacts in its order. Most ranges match many contacts.
 * Returns undefined if they do not fill the page, or if it is unlikely.
 */
async function glance(
  db: Database,
  filter: ResolvedFilter,
  output: CheckedOutput,
  columns: PageColumns,
): Promise<readonly PageRow[] | undefined> {
  const { sorting, limit, offset } = output;
  const isLikely = hasOnlyRanges(filter) && hasIndexedOrder(sorting[0]!.field) && offset + limit <= glanced / 10;
  if (!isLikely) return undefined;
  const matches = peek(filter, output, columns.sourceColumns, glanced);
  const { rows } = await pageQuery(filter, output, columns, matches).execute(db);
  return rows.length > limit && !rows[0]!.unfinished ? rows : undefined;
}

/** `known`: the number of matches, if it is known. */
async function readPage(
  db: Database,
  filter: ResolvedFilter,
  output: CheckedOutput,
  columns: PageColumns,
  { strategy, expected }: Choice,
  known = Number.POSITIVE_INFINITY,
): Promise<readonly PageRow[]> {
  const read = async (matches: PageMatches, on = db) =>
    (await pageQuery(filter, output, columns, matches).execute(on)).rows;
  const source = Math.min(known, matchesAtMost(filter)) <= completeMatches ? columns.sourceColumns : undefined;
  const readAll = async () => {
    const all = collect(filter, output, source);
    // So few contacts take as long in any order, and a transaction takes three more messages.
    return known <= tooFewToPeek ? read(all) : inOrderOfTable(db, filter, (trx) => read(all, trx));
  };
  if (strategy === 'collect') return readAll();
  if (strategy === 'lead') {
    const leading = canLead(output) ? await read(lead(filter, output)) : [];
    return leading.length > output.limit ? leading : read(walk(filter, output));
  }
  const readOn = async () =>
    isByCreation(output.sorting)
      ? readByCreation(db, filter, output, columns.sourceColumns, read)
      : read(walk(filter, output));
  if (strategy === 'walk') return readOn();
  const isPeek = strategy === 'peek';
  const matches = isPeek
    ? peek(filter, output, columns.sourceColumns, Math.ceil(Math.min(Math.max(expected, peeked.min), peeked.max)))
    : follow(filter, output, await hasCutOffValues(db, filter, output));
  const rows = await read(matches);
  if (matches.bounded !== true) return rows;
  // If the offset skips all rows, it may also skip the one that says so.
  const skipped = output.offset > 0 && rows.length === 0;
  if (!skipped && !rows.some(({ unfinished }) => unfinished)) return rows;
  if (isPeek) return (await collectsFaster(db, filter, expected)) ? readAll() : readOn();
  return read(walk(filter, output));
}

/**
 * True when collecting the matches takes less time than reading most contacts of the account. After a
 * peek, nobody knows how many contacts a walk would read.
 */
async function collectsFaster(db: Database, filter: ResolvedFilter, expected: number): Promise<boolean> {
  if (expected <= fewMatches) return true;
  const contacts = await plannedRows(db, sql`select 1 from contacts where ${compileAccount(filter)}`);
  return contacts !== undefined && contacts > readsPerMatch * expected;
}

/** Reads a page in the order of creation. A page far from the first needs two statements. */
async function readByCreation(
  db: Database,
  filter: ResolvedFilter,
  output: CheckedOutput,
  source: PageColumns['sourceColumns'],
  read: (matches: PageMatches, on: Database) => Promise<readonly PageRow[]>,
): Promise<readonly PageRow[]> {
  const run = async (on: Database): Promise<readonly PageRow[]> => {
    const matches = await walkByCreation(on, filter, output, source);
    return matches === undefined ? [] : read(matches, on);
  };
  return isFarPage(filter, output) ? inSnapshot(db, run) : run(db);
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
  if (typeof after?.[0] === 'string' && !isWhole(after[0])) return true;
  const { rows } = await sql<{ found: boolean }>`
    select exists (select 1 from contacts where ${compileAccount(filter)} and ${condition}) as found`.execute(db);
  return rows[0]!.found;
}

/**
 * Counts the matches of a filter exactly. `condition` selects them on the table `contacts`; exports
 * leave out more contacts than the filter does.
 */
export async function countMatches(
  db: Database,
  filter: ResolvedFilter,
  condition?: RawBuilder<unknown>,
): Promise<number> {
  const count = async (trx: Database, given: ResolvedFilter): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from contacts where ${condition ?? compileFilter(given)}`.execute(trx);
    return rows[0]!.count;
  };
  if (condition === undefined && usesActivities(filter)) {
    return atOneMoment(db, filter, async (trx, given) => {
      // Then PostgreSQL sorts the contact keys instead of hashing them, and looks up the contacts in
      // the order of the index. For 80,000 contacts of a million, that halves the time.
      if (!groupsActivities(filter)) await sql`set local enable_hashagg = off`.execute(trx);
      return count(trx, given);
    });
  }
  const isFast = condition === undefined && needsOnlyIndex(filter);
  return isFast ? count(db, filter) : inOrderOfTable(db, filter, (trx) => count(trx, filter));
}

/**
 * Runs statements that read one moment of the database. If the filter reads activities, looks first
 * whether the account has moves of activities at that moment.
 */
async function atOneMoment<T>(
  db: Database,
  filter: ResolvedFilter,
  run: (trx: Database, filter: ResolvedFilter) => Promise<T>,
): Promise<T> {
  if (!usesActivities(filter)) return run(db, filter);
  return inSnapshot(db, async (trx) => {
    return run(trx, { ...filter, hasMoves: await findMoves(trx, filter.accountId) });
  });
}

/** Runs statements that read one moment of the database. */
async function inSnapshot<T>(db: Database, run: (trx: Database) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(run);
}

/**
 * Runs a statement that needs all matches of a filter, in any order.
 *
 * Disables plain index scans if the filter uses an index on attribute values. The planner believes
 * that reading contacts in index order is as cheap as in table order. Reading half a million
 * contacts takes 400 ms in index order, and 100 ms in table order. Activities need plain index
 * scans.
 */
async function inOrderOfTable<T>(db: Database, filter: ResolvedFilter, run: (trx: Database) => Promise<T>): Promise<T> {
  if (!usesIndexedAttribute(filter) || usesActivities(filter)) return run(db);
  return db.transaction().execute(async (trx) => {
    await sql`set local enable_indexscan = off`.execute(trx);
    return run(trx);
  });
}
