import { Faults, readerOf, SearchContactsBody } from '@roster/contract';
import { describe, expect, test } from 'vitest';
import { checkFilter } from '#features/search/filter/check-filter.ts';
import { fieldTypes, type FieldType } from '#features/search/filter/field-types.ts';
import { findField } from '#features/search/filter/fields.ts';
import { operationEntries, type OperationName } from '#features/search/filter/operations.ts';
import { createTestContext } from '../support/context.ts';
import { storeActivities } from './activities.ts';
import { contact, createAccount, createSegment, type StoredContact } from './account.ts';
import { searchContacts } from './search-contacts.ts';
import { forFile } from '../support/for-file.ts';

// a and r have a value in every field, and n has no values. A condition that matches n matches
// contacts without a value.
const people = {
  a: contact('asha@example.com', {
    contact_type: 'confirmed',
    email: 'Asha@Example.com',
    mobile: '919812345678',
    attributes: {
      CITY: 'Pune',
      NOTES: 'long',
      AGE: 30,
      VIP: true,
      BIRTH_DATE: '1994-03-09',
      LAST_SEEN: '2026-01-15T10:00:00.000Z',
    },
    lists: [1, 2],
    email_opted_out: true,
    created_at: '2026-01-10T00:00:00.000Z',
  }),
  r: contact('ravi@example.com', {
    email: 'ravi_k@example.com',
    mobile: '14155550100',
    attributes: {
      CITY: 'ÉTÉ 100%_\\',
      NOTES: '',
      AGE: -1.5,
      VIP: false,
      BIRTH_DATE: '2000-02-29',
      LAST_SEEN: '2026-01-16T00:00:00.000Z',
    },
    lists: [2],
    whatsapp_opted_out: true,
    created_at: '2026-01-11T12:30:00.000Z',
  }),
  n: contact(null, { created_at: '2026-01-12T00:00:00.000Z' }),
};

const ctx = await forFile(createTestContext());
const account = await createAccount(ctx);
const rows: StoredContact[] = await account.store(Object.values(people));
const stored = new Map(rows.map((row, index) => [row.contact_id, Object.keys(people)[index]!]));
const [asha, ravi] = rows as [StoredContact, StoredContact];
const opened = { activity: 'open', channel: 'email', message_id: null, msg_name: null };
const activities = new Map([
  [asha.contact_id, ['2026-01-20', '2026-02-20'].map((day) => ({ ...opened, occurred_at: `${day}T00:00:00Z` }))],
  [ravi.contact_id, [{ ...opened, occurred_at: '2026-02-21T00:00:00Z' }]],
]);
await storeActivities(ctx.db, account.accountId, rows, activities);
// In SQL this condition is false for r and unknown (null) for n.
const positive = { attribute_id: 4, field_category: 'attribute', operation: 'greater_than', value: [0] };
const group = { condition_operator: 'and', condition_details: [positive] };
await createSegment(ctx, account.accountId, 11, { filtering_criteria_operator: 'and', filtering_criteria: [group] });
await createSegment(ctx, account.accountId, 12, { filtering_criteria_operator: 'and', filtering_criteria: [] });

type Case = readonly [field: string, operation: OperationName, value: unknown, matching: string];

const ids = () => [...stored].map(([id]) => id);
const cases: readonly Case[] = [
  ['contact_type', 'equals', 'CONFIRMED', 'a'],
  ['contact_type', 'equals', ['confirmed', 'anonymous'], 'an'],
  ['contact_type', 'equals', 'blacklisted', ''],
  ['contact_type', 'not_equals', ['confirmed', 'anonymous'], 'r'],
  ['contact_type', 'is_null', [], ''],
  ['contact_type', 'is_not_null', undefined, 'arn'],

  ['identity', 'equals', ' ASHA@example.com ', 'a'],
  ['identity', 'equals', ['asha@example.com', 'ravi@example.com', 'x@y.z'], 'ar'],
  ['identity', 'equals', 'anonymous/1', ''],
  ['identity', 'not_equals', 'asha@example.com', 'rn'],
  ['identity', 'not_equals', 'anonymous/1', 'arn'],
  ['identity', 'contains', 'A@EX', 'a'],
  ['identity', 'contains', 'anonymous', ''],
  ['identity', 'not_contains', 'asha', 'rn'],
  ['identity', 'not_contains', 'anonymous', 'arn'],
  ['identity', 'starts_with', 'ash', 'a'],
  ['identity', 'starts_with', 'a', 'a'],
  ['identity', 'ends_with', 'EXAMPLE.COM', 'ar'],
  ['identity', 'equals_ignore_case', ['ASHA@example.com', 'RAVI@example.com'], 'ar'],
  ['identity', 'not_equals_ignore_case', 'Asha@Example.com', 'rn'],
  ['identity', 'is_null', [], 'n'],
  ['identity', 'is_not_null', [], 'ar'],

  ['email', 'equals', 'ASHA@EXAMPLE.COM', 'a'],
  ['EMAIL', 'equals', ['asha@example.com', 'RAVI_K@example.com'], 'ar'],
  ['email', 'not_equals', 'asha@example.com', 'rn'],
  ['email', 'contains', '_', 'r'],
  ['email', 'contains', '%', ''],
  ['email', 'not_contains', 'ASHA', 'rn'],
  ['email', 'starts_with', 'asha@', 'a'],
  ['email', 'ends_with', '.COM', 'ar'],
  ['email', 'is_null', [], 'n'],
  ['email', 'is_not_null', [], 'ar'],

  ['mobile', 'equals', '+91 98123-45678', 'a'],
  ['MOBILE', 'equals', [919_812_345_678, '14155550100'], 'ar'],
  ['mobile', 'not_equals', '919812345678', 'rn'],
  ['mobile', 'contains', '23-45', 'a'],
  ['mobile', 'contains', 555, 'r'],
  ['mobile', 'not_contains', '555', 'an'],
  ['mobile', 'starts_with', '+91', 'a'],
  ['mobile', 'ends_with', '0100', 'r'],
  ['mobile', 'is_null', [], 'n'],
  ['mobile', 'is_not_null', [], 'ar'],

  ['CITY', 'equals', 'Pune', 'a'],
  ['CITY', 'equals', 'pune', ''],
  ['CITY', 'equals', ['Pune', 'ÉTÉ 100%_\\'], 'ar'],
  ['CITY', 'not_equals', 'Pune', 'rn'],
  ['CITY', 'not_equals', ['Pune', 'ÉTÉ 100%_\\'], 'n'],
  ['CITY', 'equals_ignore_case', 'PUNE', 'a'],
  ['CITY', 'equals_ignore_case', ['pUNE', 'été 100%_\\'], 'ar'],
  ['CITY', 'equals_ignore_case', 'Pun_', ''],
  ['CITY', 'equals_ignore_case', Array.from({ length: 30 }, (_, n) => (n === 9 ? 'PUNE' : `x${n}`)), 'a'],
  ['CITY', 'not_equals_ignore_case', 'PUNE', 'rn'],
  ['CITY', 'contains', 'été', 'r'],
  ['CITY', 'contains', '%', 'r'],
  ['CITY', 'contains', '\\', 'r'],
  ['CITY', 'contains', 'U', 'a'],
  ['CITY', 'contains', 100, 'r'],
  ['CITY', 'not_contains', 'p', 'rn'],
  ['CITY', 'starts_with', 'É', 'r'],
  ['CITY', 'ends_with', '%_\\', 'r'],
  ['CITY', 'is_null', [], 'n'],
  ['CITY', 'is_not_null', [], 'ar'],

  // An empty text is a value.
  ['NOTES', 'is_null', [], 'n'],
  ['NOTES', 'is_not_null', [], 'ar'],

  ['AGE', 'equals', '30', 'a'],
  ['AGE', 'equals', [30, -1.5, 7], 'ar'],
  ['AGE', 'not_equals', 30, 'rn'],
  ['AGE', 'greater_than', -1.5, 'a'],
  ['AGE', 'greater_than_or_equal', '-1.5', 'ar'],
  ['AGE', 'less_than', 30, 'r'],
  ['AGE', 'less_than_or_equal', 30.0, 'ar'],
  ['AGE', 'between', [0, 30], 'a'],
  ['AGE', 'between', [30, 0], ''],
  ['AGE', 'is_null', [], 'n'],
  ['AGE', 'is_not_null', [], 'ar'],

  ['VIP', 'equals', 'TRUE', 'a'],
  ['VIP', 'equals', [true, false], 'ar'],
  ['VIP', 'not_equals', true, 'rn'],
  ['VIP', 'is_null', [], 'n'],
  ['VIP', 'is_not_null', [], 'ar'],
  ['email_opted_out', 'equals', true, 'a'],
  ['email_opted_out', 'equals', [true, false], 'arn'],
  ['email_opted_out', 'not_equals', 'yes', 'rn'],
  ['sms_opted_out', 'equals', 0, 'arn'],
  ['whatsapp_opted_out', 'equals', true, 'r'],
  ['sms_opted_out', 'is_null', [], ''],
  ['sms_opted_out', 'is_not_null', [], 'arn'],

  ['BIRTH_DATE', 'equals', '09-03-1994', 'a'],
  ['BIRTH_DATE', 'equals', ['1994-03-09', '29/02/2000'], 'ar'],
  ['BIRTH_DATE', 'not_equals', '1994-03-09', 'rn'],
  ['BIRTH_DATE', 'greater_than', '1994-03-09', 'r'],
  ['BIRTH_DATE', 'greater_than_or_equal', '1994-03-09', 'ar'],
  ['BIRTH_DATE', 'less_than', '2000-02-29', 'a'],
  ['BIRTH_DATE', 'less_than_or_equal', '2000-02-29', 'ar'],
  ['BIRTH_DATE', 'between', ['01/01/1990', '31/12/1999'], 'a'],
  // The searches run on 28 February 2026 at noon.
  ['BIRTH_DATE', 'less_than', '-30 years', 'a'],
  ['BIRTH_DATE', 'in_last', '30 years', 'r'],
  ['BIRTH_DATE', 'not_in_last', '30 years', 'an'],
  ['BIRTH_DATE', 'in_next', 30, ''],
  ['BIRTH_DATE', 'anniversary', '03-09', 'a'],
  ['BIRTH_DATE', 'anniversary', ['03-09', '1980-02-29'], 'ar'],
  ['BIRTH_DATE', 'anniversary', '02-28', ''],
  ['BIRTH_DATE', 'anniversary', 'today', 'r'],
  ['BIRTH_DATE', 'anniversary', 'Next Month', 'a'],
  ['BIRTH_DATE', 'anniversary', 'this year', 'ar'],
  ['BIRTH_DATE', 'anniversary_in_next', '1 week', 'r'],
  ['BIRTH_DATE', 'anniversary_in_next', '9 days', 'ar'],
  ['BIRTH_DATE', 'is_null', [], 'n'],
  ['BIRTH_DATE', 'is_not_null', [], 'ar'],

  ['LAST_SEEN', 'equals', '2026-01-15T15:30:00+05:30', 'a'],
  ['LAST_SEEN', 'equals', '2026-01-16', 'r'],
  ['LAST_SEEN', 'not_equals', '2026-01-16', 'an'],
  ['LAST_SEEN', 'greater_than', '2026-01-15T10:00:00Z', 'r'],
  ['LAST_SEEN', 'greater_than_or_equal', '2026-01-15T10:00:00Z', 'ar'],
  ['LAST_SEEN', 'less_than', '2026-01-16', 'a'],
  ['LAST_SEEN', 'less_than_or_equal', '2026-01-16', 'ar'],
  ['LAST_SEEN', 'between', ['2026-01-15', '2026-01-15T23:59:59Z'], 'a'],
  ['LAST_SEEN', 'equals', 'last month', 'ar'],
  ['LAST_SEEN', 'equals', ['-43 days', '2026-01-15'], 'ar'],
  ['LAST_SEEN', 'greater_than', '-44 days', 'r'],
  ['LAST_SEEN', 'less_than', '-6 hours', 'ar'],
  ['LAST_SEEN', 'between', ['-44 days', 'today'], 'ar'],
  ['LAST_SEEN', 'in_last', '43 days', 'r'],
  ['LAST_SEEN', 'in_last', '1056 hours', 'r'],
  ['LAST_SEEN', 'in_last', ' 1060  HOURS ', 'ar'],
  ['LAST_SEEN', 'not_in_last', '43', 'an'],
  ['LAST_SEEN', 'in_next', '1 year', ''],
  ['LAST_SEEN', 'anniversary', '01-16', 'r'],
  ['LAST_SEEN', 'anniversary', 'last month', 'ar'],
  ['LAST_SEEN', 'anniversary_in_next', '1 month', ''],
  ['LAST_SEEN', 'is_null', [], 'n'],
  ['LAST_SEEN', 'is_not_null', [], 'ar'],
  ['created_at', 'equals', '2026-01-10', 'a'],
  ['created_at', 'equals', ['2026-01-10T05:30:00+05:30', '2026-01-12'], 'an'],
  ['created_at', 'not_equals', '2026-01-10', 'rn'],
  ['created_at', 'greater_than', '2026-01-11', 'n'],
  ['created_at', 'between', ['2026-01-10', '2026-01-11'], 'ar'],
  ['created_at', 'is_null', [], ''],
  ['updated_at', 'less_than', '2026-01-02', 'arn'],

  ['list_id', 'equals', 1, 'a'],
  ['list_id', 'equals', ['1', 2], 'ar'],
  ['list_id', 'equals', 5, ''],
  ['list_id', 'not_equals', 1, 'rn'],
  ['list_id', 'not_equals', [1, 2], 'n'],
  ['list_id', 'is_null', [], 'n'],
  ['list_id', 'is_not_null', [], 'ar'],

  ['segment_id', 'equals', 11, 'a'],
  ['segment_id', 'equals', [11, 12], 'arn'],
  ['segment_id', 'not_equals', 11, 'rn'],
  ['segment_id', 'not_equals', [11, 12], ''],

  ['activity', 'at_least', 1, 'ar'],
  ['activity', 'at_least', '2', 'a'],
  ['activity', 'at_least', 3, ''],
  ['activity', 'at_most', 0, 'n'],
  ['activity', 'at_most', 1, 'rn'],
  ['activity', 'exactly', 0, 'n'],
  ['activity', 'exactly', 1, 'r'],
  ['activity', 'exactly', 2, 'a'],
  ['activity', 'never', undefined, 'n'],
  ['activity', 'never', [], 'n'],
];

async function matching(field: string, operation: string, value: unknown): Promise<string> {
  const conditions = [{ field, operation, ...(value === undefined ? {} : { value }) }];
  const faults = new Faults();
  const body = readerOf(SearchContactsBody)({ filtering_criteria: [{ condition_details: conditions }] }, faults);
  expect(faults.list).toEqual([]);
  const scope = { ...account, activities: true };
  const { rows } = await searchContacts({ ...ctx, now: () => new Date('2026-02-28T12:00:00Z') }, scope, body);
  const found = new Set(rows.map((row) => stored.get(row['contact_id'] as number)));
  return Object.keys(people)
    .filter((name) => found.has(name))
    .join('');
}

test.each(cases)('the condition %s %s %j matches the contacts "%s"', async (field, operation, value, expected) => {
  expect(await matching(field, operation, value)).toBe(expected);
});

test('contact_id is compared as a number', async () => {
  const [first, second, third] = ids() as [number, number, number];
  expect(await matching('contact_id', 'equals', String(first))).toBe('a');
  expect(await matching('contact_id', 'equals', [second, third])).toBe('rn');
  expect(await matching('contact_id', 'not_equals', first)).toBe('rn');
  expect(await matching('contact_id', 'greater_than', first)).toBe('rn');
  expect(await matching('contact_id', 'greater_than_or_equal', second)).toBe('rn');
  expect(await matching('contact_id', 'less_than', second)).toBe('a');
  expect(await matching('contact_id', 'less_than_or_equal', second)).toBe('ar');
  expect(await matching('contact_id', 'between', [first, second])).toBe('ar');
  expect(await matching('contact_id', 'is_null', [])).toBe('');
  expect(await matching('contact_id', 'is_not_null', [])).toBe('arn');
});

// The SQL differs for few, several and many values.
describe.each([3, 12, 150])('a condition with %d values', (count) => {
  const fill = <T>(value: T, others: (index: number) => T) => [
    value,
    ...Array.from({ length: count - 1 }, (_, at) => others(at)),
  ];
  const fields: readonly [field: string, values: unknown[]][] = [
    ['CITY', fill('Pune', (index) => `pune ${index}`)],
    ['AGE', fill<string | number>('30.0', (index) => 100 + index)],
    ['VIP', fill<boolean | string>(true, () => 'yes')],
    ['BIRTH_DATE', fill('09-03-1994', (index) => `2020-01-${String((index % 28) + 1).padStart(2, '0')}`)],
    ['LAST_SEEN', fill('2026-01-15T10:00:00Z', () => '2020-01-01')],
    ['identity', fill('asha@example.com', (index) => `nobody${index}@example.com`)],
    ['email', fill('ASHA@example.com', (index) => `nobody${index}@example.com`)],
    ['mobile', fill('+919812345678', (index) => String(100_000 + index))],
    ['contact_type', fill('confirmed', () => 'blacklisted')],
    ['created_at', fill('2026-01-10', () => '2020-01-01')],
    ['list_id', fill(1, () => 5)],
  ];
  test.each(fields)(
    'on %s finds the one matching contact, and not_equals includes contacts without a value',
    async (field, values) => {
      expect(await matching(field, 'equals', values)).toBe('a');
      expect(await matching(field, 'equals', values.toReversed())).toBe('a');
      expect(await matching(field, 'not_equals', values)).toBe('rn');
      expect(await matching(field, 'equals', values.slice(1))).toBe(field === 'VIP' ? 'a' : '');
    },
  );
});

test('a condition with the internal contact key of an anonymous contact finds no contact', async () => {
  const { contact_key } = await ctx.db
    .selectFrom('contacts')
    .where('contact_key', '>=', 'anonymous/')
    .where('contact_key', '<', 'anonymous0')
    .select('contact_key')
    .executeTakeFirstOrThrow();
  expect(await matching('identity', 'equals', contact_key)).toBe('');
  expect(await matching('identity', 'equals', [contact_key, 'asha@example.com'])).toBe('a');
  expect(await matching('identity', 'not_equals', contact_key)).toBe('arn');
});

describe('the table of operations', () => {
  const types = Object.keys(fieldTypes) as FieldType[];
  const fieldOf: Record<FieldType, string> = {
    id: 'contact_id',
    contact_type: 'contact_type',
    identity: 'identity',
    email: 'email',
    mobile: 'mobile',
    text: 'CITY',
    long_text: 'NOTES',
    number: 'AGE',
    boolean: 'VIP',
    date: 'BIRTH_DATE',
    datetime: 'LAST_SEEN',
    list: 'list_id',
    segment: 'segment_id',
    activity: 'activity',
  };

  test('is covered: every operation is tested for every field type that it supports', () => {
    const typeOf = (name: string) => findField(account.registry, name, undefined, new Faults())!.type;
    const covered = new Set(cases.map(([field, operation]) => `${typeOf(field)} ${operation}`));
    const fitting = [...operationEntries].flatMap(([name, { types }]) => types.map((type) => `${type} ${name}`));
    expect(fitting.filter((pair) => !pair.startsWith('id ') && !covered.has(pair))).toEqual([]);
  });

  test.each([...operationEntries.keys()])('makes a search refuse %s for every other field type', (operation) => {
    for (const type of types.filter((type) => !operationEntries.get(operation)!.types.includes(type))) {
      const conditions = [{ field: fieldOf[type], operation, value: ['1', '2'] }];
      const faults = new Faults();
      const rights = { registry: account.registry, unmasked: true, activities: true };
      checkFilter({ filtering_criteria: [{ condition_details: conditions }] }, rights, faults);
      expect(faults.list, type).toContainEqual(
        expect.objectContaining({
          code: 'not_supported',
          field: 'filtering_criteria[0].condition_details[0].operation',
        }),
      );
    }
  });
});
