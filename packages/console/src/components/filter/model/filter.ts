import type { SearchContactsBody } from '@roster/client';
import {
  fromParts,
  isCompleteWhen,
  isTimes,
  toParts,
  usualSelection,
  type ActivitySelection,
  type When,
  type WhenOperation,
} from './activity.ts';
import {
  arityOf,
  isOperation,
  operationsOf,
  takesLength,
  takesPart,
  type Arity,
  type OperationName,
} from './field-types.ts';
import { activityField, type ContactField } from './fields.ts';

/** How conditions or groups are combined. */
export type Connective = 'and' | 'or';

/** A value of a condition. */
export type ConditionValue = string | number | boolean;

/** A condition that is being built. It can be incomplete. */
export interface Condition {
  /** Distinguishes the conditions in the builder. */
  readonly id: number;
  /** Name of the field; empty until one is chosen. */
  readonly field: string;
  readonly operation: OperationName;
  readonly values: readonly ConditionValue[];
  /** Which activities count. Present exactly for conditions on activities. */
  readonly selection?: ActivitySelection;
}

/** Conditions that are combined with each other. */
export interface ConditionGroup {
  readonly id: number;
  readonly connective: Connective;
  readonly conditions: readonly Condition[];
}

/** A filter that is being built. Without groups, it matches all contacts. */
export interface FilterModel {
  readonly connective: Connective;
  readonly groups: readonly ConditionGroup[];
}

/** The filter of a search, as the API takes it. */
export type SearchFilter = Pick<SearchContactsBody, 'filtering_criteria' | 'filtering_criteria_operator'>;

/** Limits of the API. */
export const filterLimits = { groups: 20, conditions: 50, values: 1000 } as const;

/** The filter that matches all contacts. */
export const noFilter: FilterModel = { connective: 'and', groups: [] };

let lastId = 0;
const newId = (): number => ++lastId;

/** Makes a condition without a field, or with the usual operation of a field. */
export function newCondition(field?: ContactField): Condition {
  const condition = { id: newId(), field: field?.name ?? '', operation: usualOperation(field), values: [] };
  return field?.type === 'activity' ? { ...condition, values: [1], selection: usualSelection } : condition;
}

/** Makes a group with one condition. */
export function newGroup(): ConditionGroup {
  return { id: newId(), connective: 'and', conditions: [newCondition()] };
}

function usualOperation(field: ContactField | undefined): OperationName {
  return field === undefined ? 'equals' : operationsOf(field.type)[0]!;
}

/** Replaces the field of a condition. Values stay only if they can fit the new field. */
export function withField(condition: Condition, before: ContactField | undefined, field: ContactField): Condition {
  if (field.type === 'activity') {
    return before?.type === field.type ? condition : { ...newCondition(field), id: condition.id };
  }
  const keepsValues = before?.type === field.type && before.name === field.name;
  const operation = operationsOf(field.type).includes(condition.operation)
    ? condition.operation
    : usualOperation(field);
  return { id: condition.id, field: field.name, operation, values: keepsValues ? condition.values : [] };
}

/** Replaces the operation of a condition. Values that the new operation cannot take are removed. */
export function withOperation(condition: Condition, operation: OperationName): Condition {
  const most: Record<Arity, number> = { none: 0, one: 1, two: 2, some: filterLimits.values };
  // A length of time and a day of the year fit no other operation.
  if (condition.selection !== undefined) {
    const values = condition.values.length > 0 ? condition.values : [1];
    return { ...condition, operation, values: operation === 'never' ? [] : values };
  }
  const isOther = kindOf(condition.operation) !== kindOf(operation);
  return { ...condition, operation, values: isOther ? [] : condition.values.slice(0, most[arityOf(operation)]) };
}

/** Replaces when activities happened. Values stay only if the new operation can take them. */
export function withWhenOperation(when: When | undefined, operation: WhenOperation): When {
  const { values } = withOperation(
    { id: 0, field: '', operation: when?.operation ?? operation, values: when?.values ?? [] },
    operation,
  );
  return { operation, values: takesLength(operation) && values.length === 0 ? ['30 days'] : values };
}

function kindOf(operation: OperationName): string {
  return takesLength(operation) ? 'length' : operation === 'anniversary' ? operation : 'value';
}

/** Changes one condition, or removes it if `change` returns undefined. Empty groups are removed. */
export function changeCondition(
  filter: FilterModel,
  id: number,
  change: (condition: Condition) => Condition | undefined,
): FilterModel {
  const groups = filter.groups.map((group) => ({
    ...group,
    conditions: group.conditions.flatMap((one) => (one.id === id ? (change(one) ?? []) : one)),
  }));
  return { ...filter, groups: groups.filter(({ conditions }) => conditions.length > 0) };
}

/** Changes one group, or removes it if `change` returns undefined. */
export function changeGroup(
  filter: FilterModel,
  id: number,
  change: (group: ConditionGroup) => ConditionGroup | undefined,
): FilterModel {
  return { ...filter, groups: filter.groups.flatMap((group) => (group.id === id ? (change(group) ?? []) : group)) };
}

/** Tells whether a condition has everything that its operation needs. */
export function isComplete({ field, operation, values, selection }: Condition): boolean {
  if (field === '') return false;
  if (selection !== undefined) {
    const isCounted = operation === 'never' ? values.length === 0 : values.length === 1;
    return isCounted && (operation === 'never' || isTimes(operation, values[0])) && isCompleteWhen(selection);
  }
  const filled = values.filter((value) => (takesPart(operation) ? value !== '' : String(value).trim() !== ''));
  const wanted = { none: values.length === 0, one: filled.length === 1, two: filled.length === 2 };
  const arity = arityOf(operation);
  return arity === 'some' ? filled.length > 0 && filled.length === values.length : wanted[arity];
}

/** Returns the number of conditions that are not complete. */
export function countIncomplete({ groups }: FilterModel): number {
  return groups.flatMap(({ conditions }) => conditions).filter((condition) => !isComplete(condition)).length;
}

/** Returns the number of all conditions. */
export function countConditions({ groups }: FilterModel): number {
  return groups.reduce((count, { conditions }) => count + conditions.length, 0);
}

/**
 * Returns the filter as the API takes it. Throws if a condition is not complete: leaving it out
 * would match more contacts than the person means.
 */
export function toSearchFilter(filter: FilterModel): SearchFilter {
  if (countIncomplete(filter) > 0) throw new Error('a condition of the filter is not complete');
  if (filter.groups.length === 0) return {};
  return {
    ...(filter.groups.length > 1 && { filtering_criteria_operator: filter.connective }),
    filtering_criteria: filter.groups.map(({ connective, conditions }) => ({
      condition_operator: connective,
      condition_details: conditions.map(({ field, operation, values, selection }) => ({
        field,
        // An attribute can have the same name.
        ...(selection !== undefined && { field_category: activityField }),
        operation,
        ...(values.length > 0 && { value: values }),
        ...(selection !== undefined && toParts(selection)),
      })),
    })),
  };
}

/**
 * Makes the model of a filter of the API, such as that of a segment. `nameOf` returns the name of
 * the field in this console. Throws if an operation or a part of a condition is unknown.
 */
export function fromSearchFilter(
  { filtering_criteria: groups = [], filtering_criteria_operator: connective = 'and' }: SearchFilter,
  nameOf: (field: string) => string = (field) => field,
): FilterModel {
  return {
    connective,
    groups: groups.map(({ condition_operator: inner = 'and', condition_details: conditions }) => ({
      id: newId(),
      connective: inner,
      conditions: conditions.map(({ field, field_category: category, operation, value = [], ...parts }) => {
        if (!isOperation(operation)) throw new Error(`the operation ${operation} is unknown`);
        if (category !== activityField && !operationsOf('activity').includes(operation)) {
          return { id: newId(), field: nameOf(field), operation, values: value };
        }
        const selection = fromParts(parts);
        if (selection === undefined) throw new Error('a part of a condition on activities is unknown');
        return { id: newId(), field: activityField, operation, values: value, selection };
      }),
    })),
  };
}
