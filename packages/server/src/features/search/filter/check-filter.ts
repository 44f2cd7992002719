import { Faults, unknownName, type Fault, type Filter, type PartlyRead } from '@roster/contract';
import { howToUnmask } from '#features/registry/masking.ts';
import type { Registry, StoredValue } from '#features/registry/registry.ts';
import { allFilterRights, type FilterRights } from '../rights/filter-rights.ts';
import { checkActivity } from './check-activity.ts';
import { conditionsOf, type CheckedFilter, type Condition, type ConditionGroup } from './checked-filter.ts';
import { fieldType, readAnniversary, type ConditionValue } from './field-types.ts';
import { findField, refusedField, type Field } from './fields.ts';
import { findOperation, operationEntry, operationsOf, type Arity, type OperationName } from './operations.ts';
import { isRelative } from './time/relative-dates.ts';

/** The attributes and rights against which a search is checked. */
export interface SearchRights extends FilterRights {
  readonly registry: Registry;
}

type Groups = NonNullable<Filter['filtering_criteria']>;
type ConditionBody = PartlyRead<Groups[number]['condition_details'][number]>;

/**
 * Checks the fields, categories, operations, values and rights of a filter.
 * {@link resolveFilters} checks later whether its lists and segments exist.
 *
 * Adds all faults with their paths, such as
 * `filtering_criteria[0].condition_details[2].value[1]`. Use the result only if no fault was added.
 * Parts that the reader could not read are skipped, because their faults have already been added.
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
    faults.add('missing_scope', `${body.field} is masked. To filter by it, ${howToUnmask}`, 'field');
  }
  if (field?.type === 'activity' && !rights.activities) faults.add('missing_scope', needsActivities, 'field');
  const refused = field === undefined ? undefined : refusedField(field, rights.registry, rights.activities);
  if (refused !== undefined) faults.add(refused.code, refused.message, 'field');
  const operation = body.operation === undefined ? undefined : checkOperation(body.operation, field, faults);
  const isUnread = 'value' in body && body.value === undefined;
  const values = operation === undefined || isUnread ? [] : checkValues(operation, field, body.value ?? [], faults);
  const selection = checkActivity(body, field, faults, { operation: checkOperation, values: checkValues });
  if (faults.count > before) faults.prefix(before, place);
  return field === undefined || operation === undefined
    ? undefined
    : { field, operation, values, place: `${place}.value`, ...(selection === undefined ? {} : { selection }) };
}

const needsActivities =
  'needs the right to see activities. Ask an owner of the account for it, or use an API key with the scope activity:read';

function checkOperation(
  name: string,
  field: Field | undefined,
  faults: Faults,
  known: readonly OperationName[] = operationsOf(field?.type),
): OperationName | undefined {
  const operation = findOperation(name);
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
  two: { fits: (count) => count === 2, message: 'must have exactly two values, with the smaller value first,' },
  some: { fits: (count) => count > 0, message: 'must have at least one value' },
};

/**
 * Returns the values in stored form. Without a field, checks only the number of values. A value
 * that cannot be read becomes NaN, so that the other values keep their index in later faults.
 */
export function checkValues(
  operation: OperationName,
  field: Field | undefined,
  values: readonly (ConditionValue | undefined)[],
  faults: Faults,
): StoredValue[] {
  const entry = operationEntry(operation);
  const arity = arities[entry.arity];
  // As everywhere, a blank optional value counts as absent.
  const given = entry.arity === 'none' ? values.filter((value) => !isBlank(value)) : values;
  if (!arity.fits(given.length)) faults.add('wrong_arity', `${arity.message} for the operation ${operation}`, 'value');
  if (field === undefined || entry.arity === 'none') return [];
  const type = fieldType(field.type);
  const readers = {
    pattern: type.readPattern,
    length: type.readLength,
    dayOfYear: readAnniversary,
    positive: type.readPositive,
    value: type.read,
  };
  const read = readers[entry.operand ?? 'value']!;
  const stored: StoredValue[] = [];
  for (const [index, value] of values.entries()) {
    const before = faults.count;
    stored.push((value === undefined ? undefined : read(value, faults, field.form)) ?? Number.NaN);
    if (faults.count > before) faults.prefix(before, `value[${index}]`);
  }
  // Remove duplicates, which cost time. But audiences keep their index for later faults.
  const isAudience = field.type === 'list' || field.type === 'segment';
  return entry.arity === 'some' && !isAudience ? [...new Set(stored)] : stored;
}

function isBlank(value: ConditionValue | undefined): boolean {
  return typeof value === 'string' && value.trim() === '';
}

/** Returns the faults of a filter. Does not check whether its lists and segments exist. */
export function filterFaults(filter: Filter, registry: Registry): readonly Fault[] {
  const faults = new Faults();
  checkFilter(filter, { registry, ...allFilterRights }, faults);
  return faults.list;
}

/**
 * Returns true if a filter without faults has relative dates that a change of the registry would
 * turn into plain texts, such as `today`.
 */
export function losesRelativeDates(filter: Filter, before: Registry, after: Registry): boolean {
  const [now, then] = [before, after].map((registry) =>
    conditionsOf(checkFilter(filter, { registry, ...allFilterRights }, new Faults())),
  );
  const isTime = ({ field }: Condition): boolean => field.type === 'date' || field.type === 'datetime';
  return now!.some(
    (condition, at) =>
      isTime(condition) && condition.values.some(isRelative) && then![at] !== undefined && !isTime(then![at]),
  );
}
