import { Faults, type Fault, type Filter, type PartlyRead } from '@roster/contract';
import type { Registry, StoredValue } from '../attributes/registry.ts';
import type { CheckedFilter, Condition, ConditionGroup } from './checked-filter.ts';
import { fieldType, type ConditionValue } from './field-types.ts';
import { findField, type Field } from './fields.ts';
import { findOperation, operationEntry, type Arity, type OperationName } from './operations.ts';

/** For whom a search is checked. */
export interface SearchRights {
  readonly registry: Registry;
  /** True when the caller has the scope `unmasked` (decisions §4). */
  readonly unmasked: boolean;
}

type Groups = NonNullable<Filter['filtering_criteria']>;
type ConditionBody = PartlyRead<Groups[number]['condition_details'][number]>;

/**
 * Checks a filter against the registry of the account: fields, categories, operations, values, rights (decisions §3).
 *
 * Every fault is added with its path, such as `filtering_criteria[0].condition_details[2].value[1]`; the result is meaningful only when
 * none was added. Whether lists and segments exist is checked by {@link resolveFilters}. Parts that the reader of the contract could not
 * read are passed over: their faults are there already.
 */
export function checkFilter(filter: PartlyRead<Filter>, rights: SearchRights, faults: Faults): CheckedFilter {
  const groups = filter.filtering_criteria ?? [];
  if (groups.length > 1 && !('filtering_criteria_operator' in filter)) {
    faults.add('required', 'is required when there is more than one group', 'filtering_criteria_operator');
  }
  return {
    connective: filter.filtering_criteria_operator ?? 'and',
    groups: groups.map((group, index): ConditionGroup => ({
      connective: group?.condition_operator ?? 'and',
      conditions: (group?.condition_details ?? []).flatMap((condition, at) => {
        const place = `filtering_criteria[${index}].condition_details[${at}]`;
        return checkCondition(condition ?? {}, rights, place, faults) ?? [];
      }),
    })),
  };
}

function checkCondition(
  body: ConditionBody,
  rights: SearchRights,
  place: string,
  faults: Faults,
): Condition | undefined {
  const before = faults.count;
  const field =
    body.field === undefined ? undefined : findField(rights.registry, body.field, body.field_category, faults);
  if (field !== undefined && field.masking !== 'none' && !rights.unmasked) {
    faults.add('missing_scope', 'is masked: a filter on it needs an API key with the scope unmasked', 'field');
  }
  const operation = body.operation === undefined ? undefined : checkOperation(body.operation, field, faults);
  const isUnread = 'value' in body && body.value === undefined;
  const values = operation === undefined || isUnread ? [] : checkValues(operation, field, body.value ?? [], faults);
  if (faults.count > before) faults.prefix(before, place);
  return field === undefined || operation === undefined
    ? undefined
    : { field, operation, values, place: `${place}.value` };
}

function checkOperation(name: string, field: Field | undefined, faults: Faults): OperationName | undefined {
  const operation = findOperation(name);
  if (operation === undefined) {
    return faults.add('unknown_value', 'is not an operation; see the description of the filter language', 'operation');
  }
  if (field !== undefined && !operationEntry(operation).types.includes(field.type)) {
    return faults.add(
      'not_supported',
      `${operation} does not fit the field, which is of the type ${field.type}`,
      'operation',
    );
  }
  return operation;
}

const arities: Record<Arity, { readonly fits: (count: number) => boolean; readonly message: string }> = {
  none: { fits: (count) => count === 0, message: 'takes no value' },
  one: { fits: (count) => count === 1, message: 'takes exactly one value' },
  two: { fits: (count) => count === 2, message: 'takes exactly two values' },
  some: { fits: (count) => count > 0, message: 'takes at least one value' },
};

/**
 * Without a field there is no type to read by, but the number of values can be judged. A value that cannot be read is NaN in its place, so
 * that what is found later about the others is told with the right index.
 */
function checkValues(
  operation: OperationName,
  field: Field | undefined,
  values: readonly (ConditionValue | undefined)[],
  faults: Faults,
): StoredValue[] {
  const entry = operationEntry(operation);
  const arity = arities[entry.arity];
  if (!arity.fits(values.length)) faults.add('wrong_arity', `${operation} ${arity.message}`, 'value');
  if (field === undefined || entry.arity === 'none') return [];
  const type = fieldType(field.type);
  const read = entry.operand === 'pattern' ? type.readPattern! : type.read;
  const stored: StoredValue[] = [];
  for (const [index, value] of values.entries()) {
    const before = faults.count;
    stored.push((value === undefined ? undefined : read(value, faults, field.form)) ?? Number.NaN);
    if (faults.count > before) faults.prefix(before, `value[${index}]`);
  }
  // A value costs as often as it is there. Audiences stay as they are: what is found about them later is told with their index.
  const isAudience = field.type === 'list' || field.type === 'segment';
  return entry.arity === 'some' && !isAudience ? [...new Set(stored)] : stored;
}

/** What is wrong with a filter in an account, as a list; empty when it can be used (up to its lists and segments). */
export function filterFaults(filter: Filter, registry: Registry): readonly Fault[] {
  const faults = new Faults();
  checkFilter(filter, { registry, unmasked: true }, faults);
  return faults.list;
}
