import type { ActivityKind, Channel } from '@roster/contract';
import { isSentField } from '#features/registry/derived/derived-fields.ts';
import type { Attribute, StoredValue } from '#features/registry/registry.ts';
import type { Field } from './fields.ts';
import type { OperationName } from './operations.ts';
import type { Clock } from './time/relative-dates.ts';

/** How conditions or groups are combined. */
export type Connective = 'and' | 'or';

/** A checked condition: the operation fits the field, and the values are in stored form. */
export interface Condition {
  readonly field: Field;
  readonly operation: OperationName;
  /**
   * Values in stored form. A date-time field can also have plain days (`YYYY-MM-DD`). Dates and
   * date-times can have relative dates, such as `-30 days`.
   * `list_id` and `segment_id` have the ids of the audiences, maybe with duplicates.
   */
  readonly values: readonly StoredValue[];
  /** The path of the values in the request, for later faults. */
  readonly place: string;
  /** The activities that are counted. Present exactly for the field `activity`. */
  readonly selection?: ActivitySelection;
}

/** Which activities a condition counts, in the words of the contract. Absent parts mean any. */
export interface ActivitySelection {
  readonly activity?: readonly ActivityKind[];
  readonly channel?: readonly Channel[];
  readonly message_id?: readonly number[];
  readonly message_name?: readonly string[];
  /** When they happened: an operation of date-times, and its values in stored form. */
  readonly when?: { readonly operation: OperationName; readonly value: readonly StoredValue[] };
}

/** A group of conditions. */
export interface ConditionGroup {
  readonly connective: Connective;
  readonly conditions: readonly Condition[];
}

/** A filter that was checked against the registry. Without groups, it matches all contacts. */
export interface CheckedFilter {
  readonly connective: Connective;
  readonly groups: readonly ConditionGroup[];
}

/**
 * Checked filters with their lists and segments, ready to be compiled.
 * A contact matches if it belongs to the account and matches all filters.
 */
export interface ResolvedFilter {
  readonly accountId: number;
  /** The time zone of the account, for plain days, and the moment for relative dates. */
  readonly clock: Clock;
  readonly filters: readonly CheckedFilter[];
  /** The filter of every segment that the filters name, directly or through other segments. */
  readonly segments: ReadonlyMap<number, CheckedFilter>;
  /** The number of members of each list that the filters name. */
  readonly listSizes: ReadonlyMap<number, number>;
  /**
   * The moment (milliseconds since 1970) before which activities do not count, because the account
   * does not keep them.
   */
  readonly oldestActivity: number;
  /**
   * False only if the account certainly has no moves of activities at the moment of the statement.
   * Then conditions on activities are simpler, and PostgreSQL can look up single contacts.
   */
  readonly hasMoves: boolean;
  /** Deleted lists that are not yet removed from all contacts. They count as having no members. */
  readonly removedLists: readonly number[];
}

/** Returns all conditions of a filter. */
export function conditionsOf(filter: CheckedFilter): Condition[] {
  return filter.groups.flatMap((group) => group.conditions);
}

/** Returns the conditions that every match must meet. Does not look into segments. */
export function requirementsOf(filters: readonly CheckedFilter[]): Condition[] {
  return filters
    .flatMap((part) => (part.connective === 'and' || part.groups.length === 1 ? part.groups : []))
    .flatMap((group) => (group.connective === 'and' || group.conditions.length === 1 ? group.conditions : []));
}

const ranges: ReadonlySet<OperationName> = new Set([
  'greater_than',
  'greater_than_or_equal',
  'less_than',
  'less_than_or_equal',
  'between',
]);

// Operations that can limit the range of an index scan.
const bounding: ReadonlySet<OperationName> = new Set([...ranges, 'is_null', 'is_not_null']);

/** Returns the bounds on an attribute that every match must meet. */
export function boundsOn(attribute: Attribute, filter: ResolvedFilter): Condition[] {
  return requirementsOf(filter.filters).filter(
    ({ field, operation }) => field.attribute === attribute && bounding.has(operation),
  );
}

/** True when all conditions of a filter are bounds on the attribute. */
export function hasOnlyBoundsOn(attribute: Attribute, filter: ResolvedFilter): boolean {
  return boundsOn(attribute, filter).length === filter.filters.flatMap(conditionsOf).length;
}

// Operations that a contact without a value matches.
const metWithoutValue: ReadonlySet<OperationName> = new Set(['not_equals', 'not_contains', 'is_null']);

/**
 * True when every match must have a value of some attribute. An attribute belongs to one account,
 * so such a filter matches contacts of one account only.
 */
export function needsAttribute(filter: ResolvedFilter): boolean {
  return requirementsOf(filter.filters).some(
    ({ field, operation }) =>
      field.attribute !== undefined && field.type !== 'identity' && !metWithoutValue.has(operation),
  );
}

/** Returns all conditions of the filters and of their segments. */
function allConditionsOf({ filters, segments }: ResolvedFilter): Condition[] {
  return [...filters, ...segments.values()].flatMap(conditionsOf).filter(({ field }) => field.type !== 'segment');
}

/** True when a condition reads activities. */
export function readsActivities({ field: { derived }, selection }: Condition): boolean {
  return selection !== undefined || (derived !== undefined && isSentField(derived));
}

/** True when the row of a contact is enough to evaluate a filter. */
export function readsOnlyContacts(filter: ResolvedFilter): boolean {
  return allConditionsOf(filter).every(
    ({ field, selection }) => selection === undefined && field.derived === undefined,
  );
}

/** True when a condition of a filter, or of a segment in it, reads activities. */
export function usesActivities(filter: ResolvedFilter): boolean {
  return allConditionsOf(filter).some(readsActivities);
}

/** True when a condition needs all activities of a contact, and not only whether there is one. */
export function groupsActivities(filter: ResolvedFilter): boolean {
  return allConditionsOf(filter).some((condition) => {
    const { selection, operation, values } = condition;
    if (selection === undefined) return readsActivities(condition);
    const times = Number(values[0] ?? 0);
    return operation === 'at_least' ? times > 1 : times > 0;
  });
}

/** True when a filter, or a segment in it, has a condition on an attribute with an index. */
export function usesIndexedAttribute(filter: ResolvedFilter): boolean {
  return allConditionsOf(filter).some(hasSlot);
}

// Operations for which the slot is sometimes not enough, because it can have the beginning of a
// text.
const readsWholeText: ReadonlySet<OperationName> = new Set(['contains', 'not_contains', 'starts_with', 'ends_with']);

/**
 * True when all conditions are on one attribute, and its index is enough to evaluate them. Then
 * PostgreSQL can count the matches without reading the contacts.
 */
export function needsOnlyIndex(filter: ResolvedFilter): boolean {
  const conditions = allConditionsOf(filter);
  return conditions.every(
    (condition) =>
      hasSlot(condition) &&
      condition.field.attribute === conditions[0]!.field.attribute &&
      !readsWholeText.has(condition.operation),
  );
}

/** True when all conditions are ranges, such as `between`. */
export function hasOnlyRanges(filter: ResolvedFilter): boolean {
  return allConditionsOf(filter).every(({ operation }) => ranges.has(operation));
}

function hasSlot({ field }: Condition): boolean {
  return field.attribute !== undefined && field.attribute.slot !== null && field.type !== 'identity';
}
