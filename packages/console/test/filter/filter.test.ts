import { readFile } from 'node:fs/promises';
import type { OperatorAttribute } from '@roster/client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeFilter, type FilterWords } from '#components/filter/model/describe-filter.ts';
import { arityOf, operations, operationsOf, type OperationName } from '#components/filter/model/field-types.ts';
import { contactFields, findField, fixedFieldNames, isSortable } from '#components/filter/model/fields.ts';
import { fromAddress, toAddress } from '#components/filter/model/filter-address.ts';
import {
  changeCondition,
  countConditions,
  countIncomplete,
  fromSearchFilter,
  isComplete,
  newCondition,
  newGroup,
  noFilter,
  toSearchFilter,
  withField,
  withOperation,
  type Condition,
  type FilterModel,
} from '#components/filter/model/filter.ts';

const attribute = (
  name: string,
  type: OperatorAttribute['data_type'],
  masking: OperatorAttribute['data_masking'] = 'none',
) => ({ name, data_type: type, data_masking: masking }) as OperatorAttribute;

const attributes = [
  attribute('EMAIL', 'text'),
  attribute('MOBILE', 'text'),
  attribute('CITY', 'text'),
  attribute('AGE', 'number'),
  attribute('NOTES', 'long_text'),
  attribute('CARD', 'text', 'full'),
];
const fields = contactFields(attributes, 'EMAIL', false);
const field = (name: string) => findField(fields, name)!;

const condition = (name: string, operation: OperationName, ...values: Condition['values'][number][]): Condition => ({
  id: 0,
  field: name,
  operation,
  values,
});
const filterOf = (...groups: Condition[][]): FilterModel => ({
  connective: 'or',
  groups: groups.map((conditions, id) => ({ id, connective: 'and', conditions })),
});

/** Removes the ids, which are new each time a filter is read. */
const withoutIds = (filter: FilterModel | undefined): unknown =>
  JSON.parse(JSON.stringify(filter, (key, value: unknown) => (key === 'id' ? undefined : value)) ?? 'null');

describe('the table of operations', () => {
  test('is the same as in the documentation of the service', async () => {
    const document = JSON.parse(await readFile(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'));
    const { description } = document.paths['/v5/contact/search'].post as { description: string };
    const rows = [...description.matchAll(/^\| `(\w+)` \| (none|one or more|one|two) \| ([^|]+) \|/gm)];
    const arities = { none: 'none', one: 'one', two: 'two', 'one or more': 'some' } as const;
    const documented = rows.map(([, name, arity, types]) => [
      name,
      { arity: arities[arity as 'one'], types: types!.replaceAll('`', '').split(', ') },
    ]);
    expect(documented.length).toBeGreaterThan(10);
    expect(Object.fromEntries(documented)).toEqual(operations);
    const names = [...description.matchAll(/^\| `(\w+)` \| `(config|audience)` \| `(\w+)` \|/gm)];
    expect(names.map(([, name]) => name)).toEqual(fixedFieldNames);
    for (const [, name, category, type] of names) {
      expect(fields.byName.get(name!)).toMatchObject({ category, type });
    }
  });
});

describe('the fields of an account', () => {
  test('have EMAIL, MOBILE and the primary key once, as fields of every account', () => {
    expect(findField(fields, 'EMAIL')?.name).toBe('email');
    expect(findField(fields, 'Mobile')?.name).toBe('mobile');
    expect(fields.byName.has('EMAIL')).toBe(false);
    const own = contactFields([...attributes, attribute('CUSTOMER_ID', 'text', 'full')], 'CUSTOMER_ID', false);
    expect(findField(own, 'customer_id')).toMatchObject({ name: 'identity', isMasked: true });
  });

  test('are found in any letter case, and unknown fields are not found', () => {
    expect(findField(fields, 'city')?.name).toBe('CITY');
    expect(findField(fields, 'LIST_ID')?.name).toBe('list_id');
    expect(findField(fields, 'TOWN')).toBeUndefined();
  });

  test('are masked and not sortable for people who may not see their values', () => {
    expect(field('CARD')).toMatchObject({ isMasked: true });
    expect(isSortable(field('CARD'))).toBe(false);
    const card = contactFields(attributes, 'EMAIL', true).byName.get('CARD')!;
    expect([card.isMasked, isSortable(card)]).toEqual([false, true]);
    expect([isSortable(field('NOTES')), isSortable(field('list_id'))]).toEqual([false, false]);
  });
});

describe('a condition', () => {
  test.each([
    [condition('', 'equals', 'x'), false],
    [condition('CITY', 'equals'), false],
    [condition('CITY', 'equals', ''), false],
    [condition('CITY', 'equals', 'Pune', ' '), false],
    [condition('CITY', 'equals', 'Pune', 'Goa'), true],
    [condition('CITY', 'contains', ' '), true],
    [condition('CITY', 'contains', ''), false],
    [condition('CITY', 'is_null'), true],
    [condition('AGE', 'between', 1), false],
    [condition('AGE', 'between', 1, ''), false],
    [condition('AGE', 'between', 0, 2), true],
    [condition('AGE', 'greater_than', 0), true],
    [condition('email_opted_out', 'equals', false), true],
  ])('%j is complete: %s', (given, expected) => {
    expect(isComplete(given)).toBe(expected);
  });

  test('keeps its operation but not its values with another field', () => {
    const city = condition('CITY', 'not_equals', 'Pune');
    expect(withField(city, field('CITY'), field('AGE'))).toMatchObject({ operation: 'not_equals', values: [] });
    expect(withField(condition('CITY', 'contains', 'P'), field('CITY'), field('AGE'))).toMatchObject({
      operation: 'equals',
    });
    expect(withField(city, field('CITY'), field('NOTES'))).toMatchObject({ operation: 'is_null', values: [] });
  });

  test('keeps only as many values as its new operation takes', () => {
    const ages = condition('AGE', 'equals', 1, 2, 3);
    expect(withOperation(ages, 'between').values).toEqual([1, 2]);
    expect(withOperation(ages, 'less_than').values).toEqual([1]);
    expect(withOperation(ages, 'is_null').values).toEqual([]);
    const opened = newCondition(field('activity'));
    expect(isComplete(opened)).toBe(true);
    const never = withOperation(opened, 'never');
    expect([never.values, withOperation(never, 'at_most').values]).toEqual([[], [1]]);
    expect(isComplete({ ...opened, values: [0] })).toBe(false);
    expect(isComplete({ ...opened, selection: { when: { operation: 'between', values: ['today'] } } })).toBe(false);
    expect(withField(opened, field('activity'), field('CITY'))).toEqual({
      ...condition('CITY', 'equals'),
      id: opened.id,
    });
  });

  test('begins with an operation that its field has', () => {
    for (const one of fields.byName.values()) {
      expect(operationsOf(one.type)).toContain(newCondition(one).operation);
    }
  });
});

describe('a filter', () => {
  test('becomes the JSON of a search', () => {
    expect(toSearchFilter(noFilter)).toEqual({});
    expect(toSearchFilter(filterOf([condition('CITY', 'is_null')]))).toEqual({
      filtering_criteria: [{ condition_operator: 'and', condition_details: [{ field: 'CITY', operation: 'is_null' }] }],
    });
    expect(
      toSearchFilter(filterOf([condition('CITY', 'equals', 'Pune')], [condition('AGE', 'between', 1, 2)])),
    ).toEqual({
      filtering_criteria_operator: 'or',
      filtering_criteria: [
        { condition_operator: 'and', condition_details: [{ field: 'CITY', operation: 'equals', value: ['Pune'] }] },
        { condition_operator: 'and', condition_details: [{ field: 'AGE', operation: 'between', value: [1, 2] }] },
      ],
    });
  });

  test('that is not complete never becomes a search, because it would match more contacts', () => {
    const filter = filterOf([condition('CITY', 'equals', 'Pune'), condition('AGE', 'equals')]);
    expect(countIncomplete(filter)).toBe(1);
    expect(() => toSearchFilter(filter)).toThrow('not complete');
  });

  test('keeps the parts of a condition on activities, and refuses unknown ones', () => {
    const opened = { field: 'activity', operation: 'never', activity: ['open'] } as const;
    const filter = fromSearchFilter({
      filtering_criteria: [{ condition_details: [{ ...opened, activity: ['open'] }] }],
    });
    expect(toSearchFilter(filter).filtering_criteria![0]!.condition_details).toEqual([
      { ...opened, field_category: 'activity' },
    ]);
    const unknown = { ...opened, activity: ['open'], where: 'here' } as never;
    expect(() => fromSearchFilter({ filtering_criteria: [{ condition_details: [unknown] }] })).toThrow('activities');
  });

  test('loses a group with its last condition', () => {
    const filter: FilterModel = { connective: 'and', groups: [newGroup(), newGroup()] };
    const [first] = filter.groups;
    const rest = changeCondition(filter, first!.conditions[0]!.id, () => undefined);
    expect([rest.groups.length, countConditions(rest)]).toEqual([1, 1]);
  });

  test('with an unknown operation is refused', () => {
    const filtering_criteria = [{ condition_details: [{ field: 'CITY', operation: 'resembles', value: ['x'] }] }];
    expect(() => fromSearchFilter({ filtering_criteria })).toThrow('resembles');
  });

  const operationsOfFields = (Object.keys(operations) as OperationName[]).filter(
    (name) => !operationsOf('activity').includes(name),
  );
  const values = fc.oneof(
    fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
    fc.integer(),
    fc.boolean(),
  );
  const conditions = fc
    .record({
      field: fc.constantFrom('CITY', 'AGE', 'list_id', 'a"b\\[],', 'שם', '🦊'),
      operation: fc.constantFrom(...operationsOfFields),
      many: fc.array(values, { minLength: 2, maxLength: 5 }),
    })
    .map(({ field: name, operation, many }) => {
      const count = { none: 0, one: 1, two: 2, some: many.length }[arityOf(operation)];
      return condition(name, operation, ...many.slice(0, count));
    });
  const some = <T>(...from: T[]) => fc.option(fc.subarray(from, { minLength: 1 }), { nil: undefined });
  const activityConditions = fc
    .record({
      operation: fc.constantFrom('at_least' as const, 'at_most' as const, 'exactly' as const, 'never' as const),
      times: fc.integer({ min: 1, max: 5 }),
      activity: some('open' as const, 'click' as const),
      channel: some('email' as const, 'web_push' as const),
      message_id: some(0, 4711),
      message_name: some('Winter "offers"', '🦊'),
      when: fc.constantFrom(
        undefined,
        { operation: 'in_last' as const, values: ['30 days'] },
        { operation: 'between' as const, values: ['2026-01-01', 'today'] },
        { operation: 'equals' as const, values: ['2026-01-01', '2026-01-02', '2026-01-03'] },
      ),
    })
    .map(({ operation, times, ...parts }): Condition => {
      const given = Object.entries(parts).filter(([, part]) => part !== undefined);
      return {
        ...condition('activity', operation, ...(operation === 'never' ? [] : [times])),
        selection: Object.fromEntries(given),
      };
    });
  const filters = fc.record({
    connective: fc.constantFrom('and' as const, 'or' as const),
    groups: fc.array(
      fc.record({
        id: fc.constant(0),
        connective: fc.constantFrom('and' as const, 'or' as const),
        conditions: fc.array(fc.oneof(conditions, activityConditions), { minLength: 1, maxLength: 4 }),
      }),
      { maxLength: 4 },
    ),
  });

  test('is the same after a round trip through the address and through a search', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        const address = JSON.parse(JSON.stringify(toAddress(filter) ?? null)) ?? undefined;
        const expected = withoutIds(filter.groups.length === 0 ? noFilter : filter);
        expect(withoutIds(fromAddress(address))).toEqual(expected);
        const again = fromSearchFilter(toSearchFilter(filter));
        expect(withoutIds(again)).toEqual(
          withoutIds(filter.groups.length > 1 ? filter : { ...filter, connective: 'and' }),
        );
      }),
    );
  });

  test.each([
    ['text'],
    [[]],
    [['and']],
    [['xor', ['and', ['CITY', 'equals', 'x']]]],
    [['and', 'CITY']],
    [['and', ['and']]],
    [['and', ['and', ['CITY']]]],
    [['and', ['and', ['CITY', 'equals']]]],
    [['and', ['and', ['CITY', 'equals', null]]]],
    [['and', ['and', ['CITY', 'is_null', 'x']]]],
    [['and', ['and', ['CITY', 'toString', 'x']]]],
    [['and', ['and', ['CITY', 'equals', 'x']], ['and', ['AGE', 'between', 1]]]],
    [['and', ['and', [5, 'equals', 'x']]]],
    [['and', ['and', ['activity', 'at_least', 1]]]],
    [['and', ['and', ['activity', 'at_least', {}]]]],
    [['and', ['and', ['activity', 'at_least', 0, {}]]]],
    [['and', ['and', ['activity', 'at_least', '****', '****']]]],
    [['and', ['and', ['activity', 'at_least', 1, { activity: [] }]]]],
    [['and', ['and', ['activity', 'at_least', 1, { activity: ['read'] }]]]],
    [['and', ['and', ['activity', 'at_least', 1, { kind: ['open'] }]]]],
    [['and', ['and', ['activity', 'at_least', 1, { message_id: ['x'] }]]]],
    [['and', ['and', ['activity', 'never', 1, {}]]]],
    [['and', ['and', ['activity', 'never', { when: { operation: 'in_next', value: ['1 day'] } }]]]],
    [['and', ['and', ['activity', 'never', { when: { operation: 'in_last', value: [] } }]]]],
    [['and', ['and', ['CITY', 'equals', 'x', {}]]]],
    [{ and: [] }],
    [null],
  ])('%j in the address is damaged, and never means a larger filter', (given) => {
    expect(fromAddress(given)).toBeUndefined();
  });

  test('is described in one sentence', () => {
    const words: FilterWords = {
      everyone: 'all contacts',
      and: 'and',
      or: 'or',
      value: (name, value) => (name === 'list_id' ? 'Newsletter' : String(value)),
      activities: (operation, times, { activity }) => [...(activity ?? []), operation, times].join(' '),
      condition: (name, operation, text) =>
        `${name === 'list_id' ? 'List' : name} ${operation.replaceAll('_', ' ')}${text === '' ? '' : ` ${text}`}`,
    };
    expect(
      describeFilter(filterOf([{ ...condition('activity', 'at_least', 2), selection: { activity: ['open'] } }]), words),
    ).toBe('open at_least 2');
    expect(describeFilter(noFilter, words)).toBe('all contacts');
    expect(
      describeFilter(filterOf([condition('CITY', 'equals', 'Pune', 'Goa'), condition('list_id', 'equals', 1)]), words),
    ).toBe('CITY equals Pune or Goa and List equals Newsletter');
    expect(
      describeFilter(
        filterOf(
          [condition('CITY', 'is_null'), condition('AGE', 'between', 1, 2)],
          [condition('AGE', 'equals', 1, 2, 3, 4, 5, 6, 7)],
        ),
        words,
      ),
    ).toBe('(CITY is null and AGE between 1 and 2) or AGE equals 1, 2, 3, 4, 5 or 2 …');
  });
});
