import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { areAccountsShown } from '#platform/database/statements/opaque-account.ts';
import { plannedRows } from '#platform/database/statements/planned-rows.ts';
import {
  hasOnlyBoundsOn,
  needsAttribute,
  readsOnlyContacts,
  usesIndexedAttribute,
  type CheckedFilter,
  type Condition,
  type Connective,
  type ResolvedFilter,
} from '../filter/checked-filter.ts';
import { isSentField } from '#features/registry/derived/derived-fields.ts';
import type { CheckedOutput, SortKey } from './checked-output.ts';
import { fieldSql } from '../filter/columns.ts';
import { compileConditions, compileFilter, isRestricted } from '../filter/compile.ts';
import type { Field } from '../filter/fields.ts';
import type { FieldType } from '../filter/field-types.ts';

/**
 * How the page of a search is found:
 * - `walk`: as the planner decides. Often it reads an index in the order of the page until it has
 *   enough matches. A separate statement counts the matches at the same time.
 * - `collect`: finds all matches first, then sorts and counts them.
 * - `peek`: looks for the page among the first contacts in its order. Collects or walks if they do
 *   not fill it. Counts like `walk`.
 * - `follow`: reads the index on the attribute that the page is sorted by. Counts like `walk`.
 * - `lead`: looks for the page among the contacts with the first values of a derived attribute.
 *   Walks if they do not fill it. Counts like `walk`.
 */
export type Strategy = 'walk' | 'collect' | 'peek' | 'follow' | 'lead';

/** A strategy, and the number of matches that it expects; infinite if nobody knows. */
export interface Choice {
  readonly strategy: Strategy;
  readonly expected: number;
}

/** Up to this many matches are collected. The GIN index finds them in about 20 ms. */
export const fewMatches = 10_000;

/**
 * Collecting more matches takes longer than peeking (4 ms). With fewer matches, the first contacts
 * of a large account seldom have a page of them.
 */
export const tooFewToPeek = 2500;

/** Field types that identify contacts: one contact has the value, or a few contacts share it. */
const identifiers: ReadonlySet<FieldType> = new Set(['id', 'identity', 'email', 'mobile']);

// Up to this row, a page is near the first. A peek of 20,000 contacts usually finds so many matches if
// one contact in 200 matches.
const nearRows = 100;

/**
 * Chooses how to find a page.
 *
 * A filter by identifiers or small lists certainly matches few contacts, so they are collected. The
 * planner cannot know this: it assumes that the members of a list are evenly distributed. If they
 * are the newest contacts, a walk from the oldest reads the whole table (250 ms for a million
 * contacts).
 *
 * More matches are not always evenly distributed, either. After an import without a value, a walk
 * from the newest contact reads the whole import to find contacts with a value. So a page near the
 * first begins with a peek, if there is an estimate. Otherwise asking for one and planning the peek
 * would take longer than most walks.
 *
 * In three other cases, the planner is asked for its estimate, which takes half a millisecond:
 * - The matches are counted. Then few matches are collected: finding 5,000 once instead of twice
 *   saves 10 ms. Many matches are counted separately: parallel workers read only an index for it.
 * - An attribute has an index. Collecting few matches takes a predictable time in any order.
 * - The page is sorted by messages that were sent. Reading those of few matches is faster than
 *   reading all.
 *
 * `matches`: the number of matches, if it is known. Then the planner is not asked.
 */
export async function chooseStrategy(
  db: Database,
  filter: ResolvedFilter,
  { sorting, getCount, limit, offset, after }: Omit<CheckedOutput, 'fields'>,
  matches?: number,
): Promise<Choice> {
  const atMost = matchesAtMost(filter);
  if (atMost <= fewMatches) return { strategy: 'collect', expected: atMost };
  // With a cursor, `collect` cannot count: it does not see the matches before the cursor.
  const counts = getCount && after === undefined;
  const [{ field, descending }] = sorting as [SortKey];
  const follows = fieldSql(field).indexed !== undefined;
  const isSent = field.derived !== undefined && isSentField(field.derived);
  const uncertain = follows ? !hasOnlyBoundsOn(field.attribute!, filter) : isSent || usesIndexedAttribute(filter);
  const needsEstimate = isRestricted(filter) && (counts || uncertain);
  const expected = needsEstimate ? (matches ?? (await estimate(db, filter))) : Number.POSITIVE_INFINITY;
  if (expected > fewMatches) {
    if (follows) return { strategy: 'follow', expected };
    // In ascending order, the contacts without activities come first, whose counts are 0.
    if (field.derived !== undefined && (descending || field.type === 'datetime')) return { strategy: 'lead', expected };
    // After a cursor, the next matches are usually near.
    const isNear = hasIndexedOrder(field) && offset + limit <= nearRows && after === undefined;
    const peeks = isNear && Number.isFinite(expected) && readsOnlyContacts(filter);
    return { strategy: peeks ? 'peek' : 'walk', expected };
  }
  const mustCount = counts && matches === undefined;
  const peeks = expected > tooFewToPeek && !mustCount && hasIndexedOrder(field);
  return { strategy: peeks ? 'peek' : 'collect', expected };
}

/** True when the contacts of an account can be read in the order of this field. */
export function hasIndexedOrder({ attribute, name }: Field): boolean {
  return attribute === undefined && (name === 'created_at' || name === 'contact_id');
}

/** Returns how many matches the planner expects; infinite when the plan does not show it. */
async function estimate(db: Database, filter: ResolvedFilter): Promise<number> {
  // Leave out the account if the filter needs an attribute, because only one account has it. The
  // planner believes that the two conditions are independent, and would multiply their shares. Not on
  // a cluster: it would plan for the accounts of all nodes.
  const isLeftOut = needsAttribute(filter) && !areAccountsShown();
  const where = isLeftOut ? sql.join(compileConditions(filter), sql` and `) : compileFilter(filter);
  return (await plannedRows(db, sql`select 1 from contacts where ${where}`)) ?? Number.POSITIVE_INFINITY;
}

/**
 * Returns a bound on the matches of a filter by identifiers and lists; infinite for other filters. It
 * is not a certain bound, because contacts can share an address.
 */
export function matchesAtMost(filter: ResolvedFilter): number {
  return Math.min(...filter.filters.map((part) => maxMatchesOf(part, filter)));
}

function maxMatchesOf(part: CheckedFilter, filter: ResolvedFilter): number {
  if (part.groups.length === 0) return Number.POSITIVE_INFINITY;
  const groups = part.groups.map((group) =>
    combine(
      group.connective,
      group.conditions.map((condition) => maxMatchesOfCondition(condition, filter)),
    ),
  );
  return combine(part.connective, groups);
}

function combine(connective: Connective, bounds: readonly number[]): number {
  return connective === 'and' ? Math.min(...bounds) : sum(bounds);
}

function maxMatchesOfCondition({ field, operation, values }: Condition, filter: ResolvedFilter): number {
  if (operation !== 'equals') return Number.POSITIVE_INFINITY;
  if (identifiers.has(field.type)) return values.length;
  if (field.type === 'list') return sum(values.map((id) => filter.listSizes.get(Number(id)) ?? 0));
  if (field.type !== 'segment') return Number.POSITIVE_INFINITY;
  return sum(values.map((id) => maxMatchesOf(filter.segments.get(Number(id))!, filter)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
