import {
  type FaultCode,
  Faults,
  readerOf,
  SearchAudienceBody,
  SearchContactsBody,
  searchLimits,
} from '@roster/contract';
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { ApiError } from '#platform/errors/api-error.ts';
import { createTestContext } from '../support/context.ts';
import { contact, createAccount } from './account.ts';
import { searchContacts } from './search-contacts.ts';
import { forFile } from '../support/for-file.ts';

const ctx = await forFile(createTestContext());
const account = await createAccount(ctx);
await account.store([contact('a@x.in'), contact('b@x.in')]);

/** Returns the faults of a search, each as `field code`. */
async function faultsOf(body: object, scope: object = {}): Promise<string[]> {
  const faults = new Faults();
  const within = 'audience_id' in body;
  const canonical = readerOf(within ? SearchAudienceBody : SearchContactsBody)(body, faults);
  expect(faults.list, 'the body has the right shape').toEqual([]);
  const search = searchContacts(
    ctx,
    { ...account, ...scope },
    canonical,
    within ? (canonical as SearchAudienceBody) : undefined,
  );
  const error = await search.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (error === undefined) return [];
  expect(error).toBeInstanceOf(ApiError);
  const refusal = error as ApiError;
  // A search is refused with 403 if scopes are its only fault.
  const onlyRights = refusal.faults.every(({ code }) => code === 'missing_scope');
  expect(refusal.code).toBe(onlyRights ? 'missing_scope' : 'invalid_request');
  return refusal.faults.map(({ field, code }) => `${field} ${code}`);
}

const one = (...conditions: object[]) => ({ filtering_criteria: [{ condition_details: conditions }] });
const place = 'filtering_criteria[0].condition_details[0]';

describe('a search with an invalid condition', () => {
  const conditions: readonly [condition: object, field: string, code: FaultCode][] = [
    [{ field: 'TOWN', operation: 'equals', value: ['x'] }, 'field', 'unknown_field'],
    [{ field: '__proto__', operation: 'equals', value: ['x'] }, 'field', 'unknown_field'],
    [{ field: 'constructor', operation: 'equals', value: ['x'] }, 'field', 'unknown_field'],
    [{ field: 'account_id', operation: 'equals', value: [1] }, 'field', 'unknown_field'],
    [{ field: 'CITY', field_category: 'config', operation: 'equals', value: ['x'] }, 'field_category', 'not_supported'],
    [{ field: 'CITY', field_category: 'audience', operation: 'equals', value: [1] }, 'field_category', 'not_supported'],
    [
      { field: 'list_id', field_category: 'attribute', operation: 'equals', value: [1] },
      'field_category',
      'not_supported',
    ],
    [
      { field: 'contact_type', field_category: 'attribute', operation: 'equals', value: ['identified'] },
      'field_category',
      'not_supported',
    ],
    [{ field: 'CITY', operation: 'like', value: ['x'] }, 'operation', 'unknown_value'],
    [{ field: 'CITY', operation: 'toString', value: ['x'] }, 'operation', 'unknown_value'],
    [{ field: 'CITY', operation: 'greater_than', value: ['x'] }, 'operation', 'not_supported'],
    [{ field: 'NOTES', operation: 'contains', value: ['x'] }, 'operation', 'not_supported'],
    [{ field: 'VIP', operation: 'less_than', value: [true] }, 'operation', 'not_supported'],
    [{ field: 'AGE', operation: 'contains', value: ['3'] }, 'operation', 'not_supported'],
    [{ field: 'segment_id', operation: 'is_null' }, 'operation', 'not_supported'],
    [{ field: 'CITY', operation: 'equals' }, 'value', 'wrong_arity'],
    [{ field: 'CITY', operation: 'equals', value: [] }, 'value', 'wrong_arity'],
    [{ field: 'CITY', operation: 'not_equals', value: [] }, 'value', 'wrong_arity'],
    [{ field: 'CITY', operation: 'contains', value: ['a', 'b'] }, 'value', 'wrong_arity'],
    [{ field: 'AGE', operation: 'greater_than', value: [1, 2] }, 'value', 'wrong_arity'],
    [{ field: 'AGE', operation: 'between', value: [1] }, 'value', 'wrong_arity'],
    [{ field: 'AGE', operation: 'between', value: [1, 2, 3] }, 'value', 'wrong_arity'],
    [{ field: 'CITY', operation: 'is_null', value: ['x'] }, 'value', 'wrong_arity'],
    [{ field: 'CITY', operation: 'is_not_null', value: [false] }, 'value', 'wrong_arity'],
    [{ field: 'CITY', operation: 'contains', value: [''] }, 'value[0]', 'required'],
    [{ field: 'CITY', operation: 'equals', value: ['x'.repeat(1001)] }, 'value[0]', 'too_long'],
    [{ field: 'CITY', operation: 'starts_with', value: [true] }, 'value[0]', 'invalid_type'],
    [{ field: 'identity', operation: 'equals', value: [true] }, 'value[0]', 'invalid_type'],
    [{ field: 'mobile', operation: 'contains', value: ['-'] }, 'value[0]', 'required'],
    [{ field: 'contact_type', operation: 'equals', value: ['identified', 'vip'] }, 'value[1]', 'unknown_value'],
    [{ field: 'contact_type', operation: 'equals', value: [1] }, 'value[0]', 'invalid_type'],
    [{ field: 'contact_id', operation: 'equals', value: [1.5] }, 'value[0]', 'invalid_type'],
    [{ field: 'contact_id', operation: 'equals', value: ['x'] }, 'value[0]', 'invalid_type'],
    [{ field: 'contact_id', operation: 'equals', value: ['99999999999999999999'] }, 'value[0]', 'out_of_range'],
    [{ field: 'AGE', operation: 'equals', value: ['1,000'] }, 'value[0]', 'invalid_type'],
    [{ field: 'AGE', operation: 'between', value: [1, 'x'] }, 'value[1]', 'invalid_type'],
    [{ field: 'VIP', operation: 'equals', value: ['maybe'] }, 'value[0]', 'invalid_type'],
    [{ field: 'BIRTH_DATE', operation: 'equals', value: ['2023-02-29'] }, 'value[0]', 'invalid_format'],
    [{ field: 'BIRTH_DATE', operation: 'equals', value: [20_230_101] }, 'value[0]', 'invalid_type'],
    [{ field: 'LAST_SEEN', operation: 'less_than', value: ['2026-01-01T00:00:00'] }, 'value[0]', 'invalid_format'],
    [{ field: 'created_at', operation: 'between', value: ['2026-01-01', 'soon'] }, 'value[1]', 'invalid_format'],
    [{ field: 'created_at', operation: 'equals', value: ['30 days'] }, 'value[0]', 'invalid_format'],
    [{ field: 'created_at', operation: 'equals', value: ['-40000 days'] }, 'value[0]', 'invalid_format'],
    [{ field: 'created_at', operation: 'in_last', value: ['-30 days'] }, 'value[0]', 'invalid_format'],
    [{ field: 'created_at', operation: 'in_last', value: ['0 days'] }, 'value[0]', 'invalid_format'],
    [{ field: 'created_at', operation: 'in_last', value: [1.5] }, 'value[0]', 'invalid_type'],
    [{ field: 'created_at', operation: 'in_last' }, 'value', 'wrong_arity'],
    [{ field: 'BIRTH_DATE', operation: 'equals', value: ['now'] }, 'value[0]', 'not_supported'],
    [{ field: 'BIRTH_DATE', operation: 'in_last', value: ['6 hours'] }, 'value[0]', 'invalid_format'],
    [{ field: 'BIRTH_DATE', operation: 'anniversary', value: ['02-30'] }, 'value[0]', 'invalid_format'],
    [{ field: 'BIRTH_DATE', operation: 'anniversary', value: ['-6 hours'] }, 'value[0]', 'invalid_format'],
    [{ field: 'BIRTH_DATE', operation: 'anniversary_in_next', value: ['6 hours'] }, 'value[0]', 'invalid_format'],
    [{ field: 'CITY', operation: 'in_last', value: ['30 days'] }, 'operation', 'not_supported'],
    [{ field: 'AGE', operation: 'equals_ignore_case', value: ['x'] }, 'operation', 'not_supported'],
    [{ field: 'created_at', operation: 'equals', value: [0] }, 'value[0]', 'invalid_type'],
    [{ field: 'list_id', operation: 'equals', value: ['x'] }, 'value[0]', 'invalid_type'],
    [{ field: 'list_id', operation: 'equals', value: [0] }, 'value[0]', 'out_of_range'],
    [{ field: 'list_id', operation: 'equals', value: [1, 99] }, 'value[1]', 'not_found'],
    [{ field: 'list_id', operation: 'not_equals', value: [99] }, 'value[0]', 'not_found'],
    [{ field: 'segment_id', operation: 'equals', value: [99] }, 'value[0]', 'not_found'],
    // The list 1 exists, but it is not a segment.
    [{ field: 'segment_id', operation: 'equals', value: [1] }, 'value[0]', 'not_found'],
  ];
  test.each(conditions)('is refused: %j has the fault %s %s', async (condition, field, code) => {
    expect(await faultsOf(one(condition))).toEqual([`${place}.${field} ${code}`]);
  });

  test('is refused if the condition names a list of another account', async () => {
    const other = await createAccount(ctx);
    await ctx.db
      .updateTable('audiences')
      .where('account_id', '=', other.accountId)
      .where('audience_id', '=', 5)
      .set({ audience_id: 77 })
      .execute();
    const body = one({ field: 'list_id', operation: 'equals', value: [77] });
    expect(await faultsOf(body, other)).toEqual([]);
    expect(await faultsOf(body)).toEqual([`${place}.value[0] not_found`]);
  });
});

describe('the faults of a search', () => {
  test('are reported together, each with its path', async () => {
    const body = {
      filtering_criteria: [
        {
          condition_details: [
            { field: 'CITY', operation: 'equals', value: ['Pune'] },
            { field: 'nothing', operation: 'rarely', value: [] },
          ],
        },
        {
          condition_operator: 'or',
          condition_details: [
            { field: 'AGE', operation: 'equals', value: [1, 'x', 2, true] },
            { field: 'list_id', operation: 'equals', value: [1, 98, 99] },
          ],
        },
      ],
      output: { fields: ['CITY', 'TOWN', 'segment_id'], sorting: [{ field: 'x' }, { field: 'list_id' }] },
    };
    expect(await faultsOf(body)).toEqual([
      'filtering_criteria_operator required',
      'filtering_criteria[0].condition_details[1].field unknown_field',
      'filtering_criteria[0].condition_details[1].operation unknown_value',
      'filtering_criteria[1].condition_details[0].value[1] invalid_type',
      'filtering_criteria[1].condition_details[0].value[3] invalid_type',
      'output.sorting[0].field unknown_field',
      'output.sorting[1].field not_supported',
      'output.fields[1] unknown_field',
      'output.fields[2] not_supported',
      'filtering_criteria[1].condition_details[1].value[1] not_found',
      'filtering_criteria[1].condition_details[1].value[2] not_found',
    ]);
  });

  test('are limited to 50', async () => {
    const conditions = Array.from({ length: 50 }, () => ({ field: 'AGE', operation: 'equals', value: ['x', 'y'] }));
    expect(await faultsOf(one(...conditions))).toHaveLength(50);
  });

  test('repeat unknown names, but never values', async () => {
    const secret = 'Sekret-4711';
    const body = readerOf(SearchContactsBody)(
      {
        ...one(
          { field: 'TOWN', operation: 'equalz', value: [secret] },
          { field: 'AGE', operation: 'equals', value: secret },
        ),
        output: { fields: ['CITTY'], sorting: [{ field: 'createdAt' }], pagination: { cursor: secret } },
      },
      new Faults(),
    );
    const error = await searchContacts(ctx, account, body).catch((error: unknown) => error);
    expect(JSON.stringify((error as ApiError).faults)).not.toContain(secret);
    const messages = (error as ApiError).faults.map(({ message }) => message);
    expect(messages[0]).toBe(
      'TOWN is not a field. Send the name of an attribute of the account or of a field of contacts.',
    );
    expect(messages[1]).toMatch(/^equalz is not an operation\. Did you mean equals\? The operations are equals, not_/);
    expect(messages).toContain('CITTY is not a field. Did you mean CITY?');
    expect(messages).toContain('createdAt is not a field. Did you mean created_at?');
    expect(messages).toHaveLength(5);
  });
});

describe('a search with an invalid output', () => {
  const outputs: readonly [output: object, field: string, code: FaultCode][] = [
    [{ fields: ['contact_id', '__proto__'] }, 'output.fields[1]', 'unknown_field'],
    [{ fields: ['segment_id'] }, 'output.fields[0]', 'not_supported'],
    [{ sorting: [{ field: 'NOTES' }] }, 'output.sorting[0].field', 'not_supported'],
    [{ sorting: [{ field: 'CITY' }, { field: 'segment_id' }] }, 'output.sorting[1].field', 'not_supported'],
    [{ pagination: { cursor: 'abc' } }, 'output.pagination.cursor', 'invalid_format'],
    [{ pagination: { cursor: '!!!' } }, 'output.pagination.cursor', 'invalid_format'],
  ];
  test.each(outputs)('is refused: %j has the fault %s %s', async (output, field, code) => {
    expect(await faultsOf({ output })).toEqual([`${field} ${code}`]);
  });

  test('is refused if it has both a cursor and a page', async () => {
    const { nextCursor } = await searchContacts(ctx, account, { output: { pagination: { limit: 1 } } });
    const pagination = { page: 1, limit: 1, cursor: nextCursor };
    expect(await faultsOf({ output: { pagination } })).toEqual(['output.pagination.cursor not_allowed']);
  });
});

describe('the search limit', () => {
  const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
  const condition = { field: 'CITY', operation: 'equals', value: ['Pune'] };
  const limits: readonly [
    name: keyof typeof searchLimits,
    limit: number,
    body: (size: number) => object,
    field: string,
    code: FaultCode,
  ][] = [
    [
      'groups',
      20,
      (size) => ({
        filtering_criteria_operator: 'or',
        filtering_criteria: times(size, { condition_details: [condition] }),
      }),
      'filtering_criteria',
      'too_many_items',
    ],
    [
      'conditionsPerGroup',
      50,
      (size) => one(...times(size, condition)),
      'filtering_criteria[0].condition_details',
      'too_many_items',
    ],
    [
      'valuesPerCondition',
      1000,
      (size) => one({ ...condition, value: times(size, 'Pune') }),
      `${place}.value`,
      'too_many_items',
    ],
    ['fields', 100, (size) => ({ output: { fields: times(size, 'CITY') } }), 'output.fields', 'too_many_items'],
    [
      'sortKeys',
      3,
      (size) => ({ output: { sorting: times(size, { field: 'CITY' }) } }),
      'output.sorting',
      'too_many_items',
    ],
    ['pageSize', 1000, (limit) => ({ output: { pagination: { limit } } }), 'output.pagination.limit', 'out_of_range'],
  ];
  test.each(limits)('for %s is %i, and one more is refused', async (name, limit, body, field, code) => {
    expect(searchLimits[name]).toBe(limit);
    expect(await faultsOf(body(limit))).toEqual([]);
    for (const [schema, audience] of [
      [SearchContactsBody, {}],
      [SearchAudienceBody, { audience_type: 'list', audience_id: 1 }],
    ] as const) {
      const faults = new Faults();
      readerOf<TSchema>(schema)({ ...audience, ...body(limit + 1) }, faults);
      expect(faults.list).toMatchObject([{ field, code }]);
    }
  });
});

describe('a masked attribute in a search', () => {
  const filter = (field: string) => one({ field, operation: 'equals', value: ['1'] });

  test.each(['CARD', 'card', 'SECRET'])(
    'such as %s can be filtered and sorted by only with the scope unmasked',
    async (field) => {
      expect(await faultsOf(filter(field))).toEqual([`${place}.field missing_scope`]);
      expect(await faultsOf({ output: { sorting: [{ field }] } })).toEqual(['output.sorting[0].field missing_scope']);
      expect(await faultsOf({ ...filter(field), output: { sorting: [{ field }] } }, { unmasked: true })).toEqual([]);
    },
  );

  test.each(['is_null', 'is_not_null'])('cannot be tested with %s without the scope unmasked', async (operation) => {
    expect(await faultsOf(one({ field: 'CARD', operation }))).toEqual([`${place}.field missing_scope`]);
  });

  test('that is the primary key also hides the identity', async () => {
    const masked = await createAccount(ctx, { primaryKey: 'CUSTOMER_ID', masking: 'full' });
    for (const field of ['identity', 'CUSTOMER_ID']) {
      expect(await faultsOf(filter(field), masked)).toEqual([`${place}.field missing_scope`]);
      expect(await faultsOf({ output: { sorting: [{ field }] } }, masked)).toEqual([
        'output.sorting[0].field missing_scope',
      ]);
      expect(await faultsOf(filter(field), { ...masked, unmasked: true })).toEqual([]);
    }
  });
});

test('a search in an audience that does not exist has the fault not_found at audience_id', async () => {
  expect(await faultsOf({ audience_type: 'LIST', audience_id: [1, 99] })).toEqual(['audience_id[1] not_found']);
  expect(await faultsOf({ audience_type: 'segment', audience_id: 1 })).toEqual(['audience_id[0] not_found']);
});

test('a condition on a name that an attribute shares with a field needs field_category', async () => {
  const { accountId } = await createAccount(ctx);
  const stamps = { created_at: new Date(0), updated_at: new Date(0) };
  // The service refuses such names for new attributes. Accounts from other systems may have them.
  const values = { account_id: accountId, attribute_id: 90, name: 'LIST_ID', data_type: 'text' as const, ...stamps };
  await ctx.db.insertInto('attributes').values(values).execute();
  const condition = { field: 'list_id', operation: 'equals', value: ['1'] };
  const scope = { accountId, registry: undefined };
  expect(await faultsOf(one(condition), scope)).toEqual([`${place}.field_category required`]);
  expect(await faultsOf(one({ ...condition, field_category: 'audience' }), scope)).toEqual([]);
  expect(await faultsOf(one({ ...condition, field_category: 'attribute' }), scope)).toEqual([]);
});
