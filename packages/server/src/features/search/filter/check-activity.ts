import { whenOperations, type Faults, type Filter, type PartlyRead } from '@roster/contract';
import type { StoredValue } from '#features/registry/registry.ts';
import { given } from '#platform/given.ts';
import type { ActivitySelection } from './checked-filter.ts';
import type { ConditionValue } from './field-types.ts';
import type { Field } from './fields.ts';
import type { OperationName } from './operations.ts';

type Groups = NonNullable<Filter['filtering_criteria']>;
type ConditionBody = PartlyRead<Groups[number]['condition_details'][number]>;

/** Checks the operation of a condition. Adds faults at `operation`. */
export type CheckOperation = (
  name: string,
  field: Field | undefined,
  faults: Faults,
  among?: readonly OperationName[],
) => OperationName | undefined;

/** Reads the values of a condition in stored form. Adds faults at `value`. */
export type CheckValues = (
  operation: OperationName,
  field: Field | undefined,
  values: readonly (ConditionValue | undefined)[],
  faults: Faults,
) => StoredValue[];

const parts = ['activity', 'channel', 'message_id', 'message_name', 'when'] as const;

/** The time of an activity, as a field of conditions. */
const occurredAt: Field = {
  name: 'occurred_at',
  category: 'activity',
  type: 'datetime',
  form: undefined,
  masking: 'none',
};

/**
 * Checks which activities a condition means. Returns undefined for other fields, which must not
 * have these parts: to ignore one would match more contacts than the caller means.
 */
export function checkActivity(
  body: ConditionBody,
  field: Field | undefined,
  faults: Faults,
  check: { readonly operation: CheckOperation; readonly values: CheckValues },
): ActivitySelection | undefined {
  if (field === undefined) return undefined;
  if (field.type !== 'activity') {
    for (const part of parts) {
      if (part in body) faults.add('not_allowed', 'is only possible with the field activity', part);
    }
    return undefined;
  }
  const { activity, channel, message_id: ids, message_name: names, when } = body;
  if ('message_id' in body && 'message_name' in body) {
    faults.add('not_allowed', 'cannot be combined with message_id. Send one of them', 'message_name');
  }
  return given({
    activity: activity && distinct(activity),
    channel: channel && distinct(channel),
    message_id: ids && distinct(ids),
    message_name: names && distinct(names),
    when: when && checkWhen(when, faults, check),
  });
}

function checkWhen(
  when: NonNullable<ConditionBody['when']>,
  faults: Faults,
  check: { readonly operation: CheckOperation; readonly values: CheckValues },
): NonNullable<ActivitySelection['when']> {
  const before = faults.count;
  const operation =
    when.operation === undefined
      ? undefined
      : check.operation(when.operation, occurredAt, faults, whenOperations satisfies readonly OperationName[]);
  const isUnread = 'value' in when && when.value === undefined;
  const value =
    operation === undefined || isUnread ? [] : check.values(operation, occurredAt, when.value ?? [], faults);
  if (faults.count > before) faults.prefix(before, 'when');
  // With faults, the result is not used.
  return { operation: operation ?? 'in_last', value };
}

function distinct<T>(values: readonly (T | undefined)[]): T[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}
