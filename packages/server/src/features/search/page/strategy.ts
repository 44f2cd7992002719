import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import {
  hasOnlyBoundsOn,
  needsAttribute,
  usesIndexedAttribute,
  type CheckedFilter,
  type Condition,
  type Connective,
  type ResolvedFilter,
} from '../filter/checked-filter.ts';
import type { SortKey } from './checked-output.ts';
import { fieldSql } from '../filter/columns.ts';
import { compileConditions, compileFilter, isRestricted } from '../filter/compile.ts';
import type { FieldType } from '../filter/field-types.ts';

/**
 * How the page of a search is found.
 *
 * `walk`: as the server plans it, often by walking an index in the order of the page until enough contacts matched; matches are counted by
 * a statement of their own, at the same time. `collect`: all matches are found first, then sorted; they are counted on the way.
 * `follow`: in the order of the index on the attribute that the page is sorted by; counted like `walk`.
 */
export type Strategy = 'walk' | 'collect' | 'follow';

/** Up to this many matches are collected: the GIN index finds them in some 20 ms. */
export const fewMatches = 10_000;

/** Identifiers: a value has one contact, or a few that share an address or a number. */
const identifiers: ReadonlySet<FieldType> = new Set(['id', 'identity', 'email', 'mobile']);

/**
 * Chooses how to find a page.
 *
 * Filters that name identifiers or small lists match few contacts for certain. The server cannot know that: it takes the members of a list
 * for spread evenly, and a walk that looks for the oldest contacts reads the whole table (250 ms for a million contacts).
 * When the matches are to be counted as well, the server is asked for its estimate, which costs half a millisecond: finding 5,000 matches
 * once instead of twice saves ten. Many matches are counted faster on their own, by parallel workers over the index alone.
 * So it is when an attribute has an index: few matches are then found in a time that is known, in whatever order they are.
 */
export async function chooseStrategy(
  db: Database,
  filter: ResolvedFilter,
  counts: boolean,
  sorting: readonly SortKey[],
): Promise<Strategy> {
  const most = Math.min(...filter.filters.map((part) => mostOfFilter(part, filter)));
  if (most <= fewMatches) return 'collect';
  const [{ field }] = sorting as [SortKey];
  const follows = fieldSql(field).indexed !== undefined;
  const uncertain = follows ? !hasOnlyBoundsOn(field.attribute!, filter) : usesIndexedAttribute(filter);
  const judged = isRestricted(filter) && (counts || uncertain);
  if (judged && (await estimate(db, filter)) <= fewMatches) return 'collect';
  return follows ? 'follow' : 'walk';
}

/** How many matches the server expects; infinite when it does not say. */
async function estimate(db: Database, filter: ResolvedFilter): Promise<number> {
  // The server takes the share of an account and the share of those who have a value for independent, and would multiply the two.
  const where = needsAttribute(filter) ? sql.join(compileConditions(filter), sql` and `) : compileFilter(filter);
  const { rows } = await sql<{ 'QUERY PLAN': readonly { Plan?: { 'Plan Rows'?: number } }[] }>`
    explain (format json) select from contacts where ${where}`.execute(db);
  return rows[0]?.['QUERY PLAN'][0]?.Plan?.['Plan Rows'] ?? Number.POSITIVE_INFINITY;
}

function mostOfFilter(part: CheckedFilter, filter: ResolvedFilter): number {
  if (part.groups.length === 0) return Number.POSITIVE_INFINITY;
  const groups = part.groups.map((group) =>
    combine(
      group.connective,
      group.conditions.map((condition) => mostOfCondition(condition, filter)),
    ),
  );
  return combine(part.connective, groups);
}

function combine(connective: Connective, bounds: readonly number[]): number {
  return connective === 'and' ? Math.min(...bounds) : sum(bounds);
}

function mostOfCondition({ field, operation, values }: Condition, filter: ResolvedFilter): number {
  if (operation !== 'equals') return Number.POSITIVE_INFINITY;
  if (identifiers.has(field.type)) return values.length;
  if (field.type === 'list') return sum(values.map((id) => filter.listSizes.get(Number(id)) ?? 0));
  if (field.type !== 'segment') return Number.POSITIVE_INFINITY;
  return sum(values.map((id) => mostOfFilter(filter.segments.get(Number(id))!, filter)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
