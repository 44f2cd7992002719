import {
  dataTypes,
  attributeCategories,
  entityTypes,
  searchLimits,
  type Faults,
  type PartlyRead,
  type SearchAttributesBody,
  upperCaseName,
  readerOf,
  unknownName,
} from '@roster/contract';
import { Type } from 'typebox';
import type { AttributeRow } from '#features/registry/attribute-store.ts';

/** The result of a search of attributes. */
export interface AttributeMatches {
  /** The attributes of the page. */
  readonly rows: readonly AttributeRow[];
  /** Number of all matches, on all pages. */
  readonly count: number;
}

type Condition = NonNullable<SearchAttributesBody['filtering_criteria']>[number]['condition_details'][number];
type SortItem = NonNullable<NonNullable<SearchAttributesBody['output']>['sorting']>[number];
type Test = (row: AttributeRow) => boolean;
type ConditionValue = NonNullable<Condition['value']>[number];

/** A field that a filter can name. */
interface FilterField {
  readonly of: (row: AttributeRow) => string;
  readonly operations: readonly OperationName[];
  readonly read: (value: ConditionValue, faults: Faults) => string | undefined;
}

const operations = {
  equals: { several: true, matches: (value: string, wanted: string) => value === wanted },
  contains: { several: false, matches: (value: string, wanted: string) => value.includes(wanted) },
  starts_with: { several: false, matches: (value: string, wanted: string) => value.startsWith(wanted) },
} as const;

type OperationName = keyof typeof operations;

/** The fields that a filter can name. */
const filterFields = new Map<string, FilterField>([
  ['name', { of: (row) => row.name, operations: ['equals', 'contains', 'starts_with'], read: readName }],
  ['entity_type', wordField((row) => row.entity_type, entityTypes)],
  ['data_type', wordField((row) => row.data_type, dataTypes)],
  ['category', wordField((row) => row.category, attributeCategories)],
]);

/** The fields by which attributes can be sorted. */
const sortFields = new Map<string, (row: AttributeRow) => string | number>([
  ['id', (row) => row.attribute_id],
  ['name', (row) => row.name],
  ['entity_type', (row) => row.entity_type],
  ['data_type', (row) => row.data_type],
  ['category', (row) => row.category],
  ['created_at', (row) => row.created_at.getTime()],
  ['updated_at', (row) => row.updated_at.getTime()],
]);

/** A checked search of attributes, for {@link searchAttributes}. */
export interface AttributeSearch {
  readonly test: Test;
  readonly compare: Compare;
  readonly page: number;
  readonly limit: number;
  readonly getCount: boolean;
}

type Compare = (a: AttributeRow, b: AttributeRow) => number;

/**
 * Checks a search of attributes. The body is like in a contact search, with the fields `name`,
 * `entity_type`, `data_type` and `category`. Adds all faults; use the result only if there are
 * none. Skips parts that the reader could not read.
 */
export function checkAttributeSearch(body: PartlyRead<SearchAttributesBody>, faults: Faults): AttributeSearch {
  const test = checkFilter(body, faults);
  const compare = checkSorting(body.output?.sorting ?? [], faults);
  const { page = 1, limit = searchLimits.defaultPageSize, cursor } = body.output?.pagination ?? {};
  if (cursor !== undefined) {
    faults.add(
      'not_supported',
      'must be left out. Use page and limit to page through attributes',
      'output.pagination.cursor',
    );
  }
  return { test, compare, page, limit, getCount: body.output?.get_count ?? body.get_count ?? false };
}

/**
 * Searches attributes in memory, because an account has at most 500. Ignores the letter case of
 * names. The default order is by name. Ties are in the order of ids.
 */
export function searchAttributes(
  rows: readonly AttributeRow[],
  { test, compare, page, limit }: AttributeSearch,
): AttributeMatches {
  const matches = rows.filter(test).sort(compare);
  return { rows: matches.slice((page - 1) * limit, page * limit), count: matches.length };
}

function checkFilter(body: PartlyRead<SearchAttributesBody>, faults: Faults): Test {
  const groups = body.filtering_criteria ?? [];
  if (groups.length > 1 && !('filtering_criteria_operator' in body)) {
    faults.add('required', 'is required when there is more than one group', 'filtering_criteria_operator');
  }
  if (groups.length === 0) return () => true;
  return combine(
    body.filtering_criteria_operator,
    groups.map((group, index) =>
      combine(
        group?.condition_operator,
        (group?.condition_details ?? []).map((condition, at) => {
          const before = faults.count;
          const test = checkCondition(condition ?? {}, faults);
          if (faults.count > before) faults.prefix(before, `filtering_criteria[${index}].condition_details[${at}]`);
          return test;
        }),
      ),
    ),
  );
}

function combine(operator: 'and' | 'or' | undefined, tests: readonly Test[]): Test {
  return operator === 'or' ? (row) => tests.some((test) => test(row)) : (row) => tests.every((test) => test(row));
}

function checkCondition(body: PartlyRead<Condition>, faults: Faults): Test {
  const field = body.field === undefined ? undefined : filterFields.get(body.field.toLowerCase());
  if (field === undefined && body.field !== undefined) {
    faults.add('unknown_field', unknownField(body.field, 'a field of attributes', filterFields), 'field');
  }
  if (body.field_category === 'audience')
    faults.add('not_supported', 'must be left out, because attributes are in no audience', 'field_category');
  if (body.field_category === 'derived')
    faults.add('not_supported', 'must be left out, because this search finds attributes', 'field_category');
  if (body.operation === undefined) return never;
  const word = body.operation.toLowerCase() as OperationName;
  if (!Object.hasOwn(operations, word)) {
    faults.add('unknown_value', unknownOperation(body.operation, field), 'operation');
    return never;
  }
  if (field === undefined) return never;
  if (!field.operations.includes(word)) {
    faults.add('not_supported', unknownOperation(body.operation, field), 'operation');
  }
  if ('value' in body && body.value === undefined) return never;
  const { several, matches } = operations[word];
  const values = body.value ?? [];
  if (several ? values.length === 0 : values.length !== 1) {
    faults.add(
      'wrong_arity',
      `must have ${several ? 'at least' : 'exactly'} one value for the operation ${word}`,
      'value',
    );
  }
  const wanted = values.map((each, index) => {
    const before = faults.count;
    const text = each === undefined ? undefined : field.read(each, faults);
    if (faults.count > before) faults.prefix(before, `value[${index}]`);
    return text ?? '';
  });
  return (row) => wanted.some((text) => matches(field.of(row), text));
}

const never: Test = () => false;

function unknownField(name: string, what: string, known: ReadonlyMap<string, unknown>): string {
  return unknownName(name, what, known.keys(), `The fields are ${[...known.keys()].join(', ')}.`);
}

function unknownOperation(name: string, field: FilterField | undefined): string {
  const known = field?.operations ?? Object.keys(operations);
  const what = field === undefined ? 'an operation' : 'an operation of this field';
  const all = known.length === 1 ? `The only operation is ${known[0]}.` : `The operations are ${known.join(', ')}.`;
  return `${unknownName(name, what, known)} ${all}`;
}

function readName(value: ConditionValue, faults: Faults): string | undefined {
  if (typeof value !== 'string') return faults.add('invalid_type', 'must be a string with a name or a part of a name');
  const name = upperCaseName(value.trim());
  // A blank text would match every name.
  return name === '' ? faults.add('required', 'must not be blank') : name;
}

function wordField(of: FilterField['of'], words: readonly string[]): FilterField {
  return {
    of,
    operations: ['equals'],
    read: readerOf(Type.Enum([...words])),
  };
}

function checkSorting(items: readonly (PartlyRead<SortItem> | undefined)[], faults: Faults): Compare {
  const given = items.length > 0 ? items : [{ field: 'name' }];
  const keys = given.flatMap((item, index) => {
    if (item?.field === undefined) return [];
    const of = sortFields.get(item.field.toLowerCase());
    if (of !== undefined) return { of, sign: item.direction === 'desc' ? -1 : 1 };
    const message = unknownField(item.field, 'a field that attributes can be sorted by', sortFields);
    return faults.add('unknown_field', message, `output.sorting[${index}].field`) ?? [];
  });
  return (a, b) => {
    for (const { of, sign } of keys) {
      const [left, right] = [of(a), of(b)];
      if (left !== right) return left < right ? -sign : sign;
    }
    return a.attribute_id - b.attribute_id;
  };
}
