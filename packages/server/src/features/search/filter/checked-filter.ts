import type { Attribute, StoredValue } from '#features/registry/registry.ts';
import type { Field } from './fields.ts';
import type { OperationName } from './operations.ts';

/** How conditions or groups are combined. */
export type Connective = 'and' | 'or';

/** One condition that makes sense for the account: the operation fits the field, the values are in stored form. */
export interface Condition {
  readonly field: Field;
  readonly operation: OperationName;
  /** In the form that is stored, or a plain day (`YYYY-MM-DD`) on a date-time field; `segment_id`: the segments, `list_id`: the lists, which can be there twice. */
  readonly values: readonly StoredValue[];
  /** Where the values stand in the request, for faults that are found later. */
  readonly place: string;
}

/** Conditions that are combined. */
export interface ConditionGroup {
  readonly connective: Connective;
  readonly conditions: readonly Condition[];
}

/** A filter that was checked against the registry; without groups it matches every contact. Immutable. */
export interface CheckedFilter {
  readonly connective: Connective;
  readonly groups: readonly ConditionGroup[];
}

/**
 * Filters whose lists and segments were found too: what can be compiled.
 *
 * A contact matches when it belongs to the account and matches every filter.
 */
export interface ResolvedFilter {
  readonly accountId: number;
  /** The time zone of the account, in which plain days are meant. */
  readonly timeZone: string;
  readonly filters: readonly CheckedFilter[];
  /** The filter of every segment that the filters name, directly or through other segments. */
  readonly segments: ReadonlyMap<number, CheckedFilter>;
  /** Number of members of every list that was looked up. */
  readonly listSizes: ReadonlyMap<number, number>;
  /** Lists that are deleted but not yet taken out of the contacts: nobody is a member of them. */
  readonly removedLists: readonly number[];
}

/** Every condition of a filter. */
export function conditionsOf(filter: CheckedFilter): Condition[] {
  return filter.groups.flatMap((group) => group.conditions);
}

/** The conditions that every match of a filter meets, whatever else the filter says; those in its segments are left out. */
export function requirementsOf(filters: readonly CheckedFilter[]): Condition[] {
  return filters
    .flatMap((part) => (part.connective === 'and' || part.groups.length === 1 ? part.groups : []))
    .flatMap((group) => (group.connective === 'and' || group.conditions.length === 1 ? group.conditions : []));
}

// What an index in the order of an attribute begins and ends with.
const bounding: ReadonlySet<OperationName> = new Set([
  'greater_than',
  'greater_than_or_equal',
  'less_than',
  'less_than_or_equal',
  'between',
  'is_null',
  'is_not_null',
]);

/** The bounds of an attribute that every match of a filter keeps. */
export function boundsOn(attribute: Attribute, filter: ResolvedFilter): Condition[] {
  return requirementsOf(filter.filters).filter(
    ({ field, operation }) => field.attribute === attribute && bounding.has(operation),
  );
}

/** True when a filter has no more conditions than bounds of the attribute: within them, every contact matches. */
export function hasOnlyBoundsOn(attribute: Attribute, filter: ResolvedFilter): boolean {
  return boundsOn(attribute, filter).length === filter.filters.flatMap(conditionsOf).length;
}

// What a contact without a value meets.
const metWithoutValue: ReadonlySet<OperationName> = new Set(['not_equals', 'not_contains', 'is_null']);

/** True when every match of a filter has a value of an attribute. Nobody but its account has the attribute. */
export function needsAttribute(filter: ResolvedFilter): boolean {
  return requirementsOf(filter.filters).some(
    ({ field, operation }) =>
      field.attribute !== undefined && field.type !== 'identity' && !metWithoutValue.has(operation),
  );
}

/** True when a filter, or a segment that it names, has a condition on an attribute whose values have an index. */
export function usesIndexedAttribute({ filters, segments }: ResolvedFilter): boolean {
  return [...filters, ...segments.values()].some((part) =>
    conditionsOf(part).some(({ field }) => field.attribute?.indexed === true),
  );
}
