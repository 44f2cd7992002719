import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { areAccountsShown } from '#platform/database/statements/opaque-account.ts';
import { plannedRows } from '#platform/database/statements/planned-rows.ts';
import {
  hasOnlyBoundsOn,
  needsAttribute,
  usesIndexedAttribute,
  type CheckedFilter,
  type Condition,
  type Connective,
  type ResolvedFilter,
} from '../filter/checked-filter.ts';
import { isSentField } from '#features/registry/derived/derived-fields.ts';
import type { SortKey } from './checked-output.ts';
import { fieldSql } from '../filter/columns.ts';
import { compileConditions, compileFilter, isRestricted } from '../filter/compile.ts';
import type { Field } from '../filter/fields.ts';
import type { FieldType } from '../filter/field-types.ts';

/**
 * How the page of a search is found:
 * - `walk`: as the planner decides. Often it reads an index in the order of the page until it has
 *   enough matches. A separate statement counts the matches at the same time.
 * - `collect`: finds all matches first, then sorts and counts them.
 * - `peek`: looks for the page among the first contacts in its order. Collects if they do not fill
 *   it. Counts like `walk`.
 * - `follow`: reads the index on the attribute that the page is sorted by. Counts like `walk`.
 * - `lead`: looks for the page among the contacts with the first values of a derived attribute.
 *   Walks if they do not fill it. Counts like `walk`.
 */
export type Strategy = 'walk' | 'collect' | 'peek' | 'follow' | 'lead';

/** Up to this many matches are collected. The GIN index finds them in about 20 ms. */
export const fewMatches = 10_000;

/**
 * Collecting more matches takes longer than peeking (4 ms). With fewer matches, the first contacts
 * of a large account seldom have a page of them.
 */
export const tooFewToPeek = 2500;

/** Field types that identify contacts: one contact has the value, or a few contacts share it. */
const identifiers: ReadonlySet<FieldType> = new Set(['id', 'identity', 'email', 'mobile']);

/**
 * Chooses how to find a page.
 *
 * A filter by identifiers or small lists certainly matches few contacts, so they are collected. The
 * planner cannot know this: it assumes that the members of a list are evenly distributed. If they
 * are the newest contacts, a walk from the oldest reads the whole table (250 ms for a million
 * contacts).
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
  counts: boolean,
  sorting: readonly SortKey[],
  matches?: number,
): Promise<Strategy> {
  if (matchesAtMost(filter) <= fewMatches) return 'collect';
  const [{ field, descending }] = sorting as [SortKey];
  const follows = fieldSql(field).indexed !== undefined;
  const isSent = field.derived !== undefined && isSentField(field.derived);
  const uncertain = follows ? !hasOnlyBoundsOn(field.attribute!, filter) : isSent || usesIndexedAttribute(filter);
  const needsEstimate = isRestricted(filter) && (counts || uncertain);
  const expected = needsEstimate ? (matches ?? (await estimate(db, filter))) : Number.POSITIVE_INFINITY;
  if (expected > fewMatches) {
    // In ascending order, the contacts without activities come first, whose counts are 0.
    const leads = field.derived !== undefined && (descending || field.type === 'datetime');
    return follows ? 'follow' : leads ? 'lead' : 'walk';
  }
  const mustCount = counts && matches === undefined;
  return expected > tooFewToPeek && !mustCount && hasIndexedOrder(field) ? 'peek' : 'collect';
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
