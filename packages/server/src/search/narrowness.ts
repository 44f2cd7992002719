import type { CheckedFilter, Condition, Connective, ResolvedFilter } from './checked-filter.ts';
import type { FieldType } from './field-types.ts';

/**
 * Up to this many matches it is cheaper to find and sort them all than to walk an index in the order of the page and hope that some of
 * the first contacts match: 10,000 contacts are found by the GIN index in some 20 ms, while a list whose members happen to be the oldest
 * contacts makes the walk read the whole table (250 ms for a million contacts).
 */
export const narrowMatches = 10_000;

/** Identifiers: a value has one contact, or a few that share an address or a number. */
const identifiers: ReadonlySet<FieldType> = new Set(['id', 'identity', 'email', 'mobile']);

/**
 * True when a filter matches few contacts for certain: it names identifiers, or lists with few members.
 *
 * The server cannot know this: it takes the members of a list for spread evenly over the order of the page.
 */
export function isNarrow(filter: ResolvedFilter): boolean {
  return Math.min(...filter.filters.map((part) => mostOfFilter(part, filter))) <= narrowMatches;
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
