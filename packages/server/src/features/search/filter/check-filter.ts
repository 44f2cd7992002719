import { Faults, unknownName, type Fault, type Filter, type PartlyRead } from '@roster/contract';
import type { Registry, StoredValue } from '#features/registry/registry.ts';
import type { CheckedFilter, Condition, ConditionGroup } from './checked-filter.ts';
import { fieldType, type ConditionValue } from './field-types.ts';
import { findField, type Field } from './fields.ts';
import { findOperation, operationEntry, operationsOf, type Arity, type OperationName } from './operations.ts';

/** For whom a search is checked. */
export interface SearchRights {
  readonly registry: Registry;
  /** True when the caller has the scope `unmasked`. */
  readonly unmasked: boolean;
}

type Groups = NonNullable<Filter['filtering_criteria']>;
type ConditionBody = PartlyRead<Groups[number]['condition_details'][number]>;

/**
 * Checks a filter against the registry of the account: fields, categories, operations, values, rights.
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
    faults.add(
      'missing_scope',
      `${body.field} is masked. To filter by it, use an API key with the scope unmasked`,
      'field',
    );
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
  const known = operationsOf(field?.type);
  if (operation !== undefined && known.includes(operation)) return operation;
  const of = field === undefined ? '' : ` of ${field.type} fields`;
  const code = operation === undefined ? 'unknown_value' : 'not_supported';
  if (faults.full) return undefined;
  const message = `${unknownName(name, `an operation${of}`, known)} The operations${of} are ${known.join(', ')}.`;
  return faults.add(code, message, 'operation');
}

const arities: Record<Arity, { readonly fits: (count: number) => boolean; readonly message: string }> = {
  none: { fits: (count) => count === 0, message: 'must be left out' },
  one: { fits: (count) => count === 1, message: 'must have exactly one value' },
  two: { fits: (count) => count === 2, message: 'must have exactly two values, the smaller one first,' },
  some: { fits: (count) => count > 0, message: 'must have at least one value' },
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
  // Where no value is taken, a blank one counts as absent, as everywhere.
  const given = entry.arity === 'none' ? values.filter((value) => !isBlank(value)) : values;
  if (!arity.fits(given.length)) faults.add('wrong_arity', `${arity.message} for the operation ${operation}`, 'value');
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

function isBlank(value: ConditionValue | undefined): boolean {
  return typeof value === 'string' && value.trim() === '';
}

/** What is wrong with a filter in an account, as a list; empty when it can be used (up to its lists and segments). */
export function filterFaults(filter: Filter, registry: Registry): readonly Fault[] {
  const faults = new Faults();
  checkFilter(filter, { registry, unmasked: true }, faults);
  return faults.list;
}
