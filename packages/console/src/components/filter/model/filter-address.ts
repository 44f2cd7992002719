import { fromParts, toParts } from './activity.ts';
import { arityOf, isOperation, type OperationName } from './field-types.ts';
import { activityField } from './fields.ts';
import {
  fromSearchFilter,
  isComplete,
  noFilter,
  type ConditionValue,
  type Connective,
  type FilterModel,
} from './filter.ts';

/**
 * A filter in the address: `["or",["and",["CITY","equals","Pune"],["list_id","equals",1]]]`. That is
 * a connective and groups; a group is a connective and conditions; a condition is a field, an
 * operation and values. A condition on activities ends with an object that says which:
 * `["activity","at_least",1,{"activity":["open"]}]`.
 */
export type AddressFilter = readonly unknown[];

/** Returns the filter for the address; undefined for the filter that matches all contacts. */
export function toAddress(filter: FilterModel): AddressFilter | undefined {
  if (filter.groups.length === 0) return undefined;
  return [
    filter.connective,
    ...filter.groups.map(({ connective, conditions }) => [
      connective,
      ...conditions.map(({ field, operation, values, selection }) => [
        field,
        operation,
        ...values,
        ...(selection === undefined ? [] : [toParts(selection)]),
      ]),
    ]),
  ];
}

/**
 * Reads a filter from the address. Returns undefined if any part of it is damaged: to ignore that
 * part would match more contacts than the person means.
 */
export function fromAddress(given: unknown): FilterModel | undefined {
  if (given === undefined) return noFilter;
  if (!Array.isArray(given)) return undefined;
  const [connective, ...groups] = given as unknown[];
  if (!isConnective(connective) || groups.length === 0) return undefined;
  const criteria = groups.map(readGroup);
  if (criteria.some((group) => group === undefined)) return undefined;
  const filter = fromSearchFilter({
    filtering_criteria_operator: connective,
    filtering_criteria: criteria.map((group) => group!),
  });
  return filter.groups.every(({ conditions }) => conditions.every(isComplete)) ? filter : undefined;
}

function readGroup(given: unknown) {
  if (!Array.isArray(given)) return undefined;
  const [connective, ...conditions] = given as unknown[];
  if (!isConnective(connective) || conditions.length === 0) return undefined;
  const details = conditions.map(readCondition);
  if (details.some((condition) => condition === undefined)) return undefined;
  return { condition_operator: connective, condition_details: details.map((condition) => condition!) };
}

function readCondition(given: unknown): ReadCondition | undefined {
  if (!Array.isArray(given)) return undefined;
  const [field, operation, ...value] = given as unknown[];
  const last = value.at(-1);
  if (field === activityField && isOperation(operation) && typeof last === 'object' && last !== null) {
    const [parts, values] = [fromParts(last), value.slice(0, -1)];
    if (parts === undefined || !values.every(isValue)) return undefined;
    return { field, field_category: activityField, operation, value: values, ...toParts(parts) };
  }
  if (field === activityField) return undefined;
  if (typeof field !== 'string' || field === '' || !isOperation(operation) || !value.every(isValue)) return undefined;
  if (arityOf(operation) === 'none' && value.length > 0) return undefined;
  return { field, operation, value };
}

type ReadCondition = { field: string; operation: OperationName; value: ConditionValue[] } & Partial<
  ReturnType<typeof toParts> & { readonly field_category: typeof activityField }
>;

const isConnective = (given: unknown): given is Connective => given === 'and' || given === 'or';

const isValue = (given: unknown): given is ConditionValue =>
  typeof given === 'string' || typeof given === 'boolean' || (typeof given === 'number' && Number.isFinite(given));
