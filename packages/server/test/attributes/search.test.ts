import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { attributeAccount, faults } from './attribute-account.ts';

const service = await forFile(startTestService());
const account = await attributeAccount(service);
await account.create(
  { name: 'CART_VALUE', data_type: 'number', category: 'transaction' },
  { name: 'CART_SIZE', data_type: 'number', category: 'transaction' },
  { name: 'LAST_CART', data_type: 'datetime', category: 'behaviour' },
  { name: 'NOTE', data_type: 'long_text' },
);

const search = (body: object) => account.v5('/client/attribute/search', body);

function filter(...conditions: [field: string, operation: string, value: unknown][]): object {
  return {
    filtering_criteria: [
      { condition_details: conditions.map(([field, operation, value]) => ({ field, operation, value })) },
    ],
  };
}

async function names(body: object): Promise<string[]> {
  const answer = await search(body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data.map(({ name }: { name: string }) => name);
}

describe('a search of attributes', () => {
  test.each([
    ['a whole name', filter(['name', 'equals', 'cart_value']), ['CART_VALUE']],
    ['several names', filter(['NAME', 'EQUALS', ['NOTE', 'CITY', 'NONE']]), ['CITY', 'NOTE']],
    ['a part of a name', filter(['name', 'contains', 'cart']), ['CART_SIZE', 'CART_VALUE', 'LAST_CART']],
    ['a prefix', filter(['name', 'starts_with', ['Cart_']]), ['CART_SIZE', 'CART_VALUE']],
    ['a part, taken literally', filter(['name', 'contains', '%']), []],
    ['a data type', filter(['data_type', 'equals', ['Number', 'datetime']]), ['CART_SIZE', 'CART_VALUE', 'LAST_CART']],
    ['a category', filter(['category', 'equals', 'transaction']), ['CART_SIZE', 'CART_VALUE']],
    [
      'all conditions of a group',
      filter(['name', 'contains', 'cart'], ['data_type', 'equals', 'number'], ['entity_type', 'equals', 'contact']),
      ['CART_SIZE', 'CART_VALUE'],
    ],
    [
      'any group',
      {
        filtering_criteria_operator: 'or',
        filtering_criteria: [
          { condition_details: [{ field: 'name', field_category: 'attribute', operation: 'equals', value: 'NOTE' }] },
          {
            condition_operator: 'OR',
            condition_details: [
              { field: 'category', operation: 'equals', value: 'behaviour' },
              { field: 'data_type', operation: 'equals', value: 'date' },
            ],
          },
        ],
      },
      ['BIRTH_DATE', 'LAST_CART', 'NOTE'],
    ],
  ])('a search finds attributes by %s', async (_, body, expected) => {
    expect(await names(body)).toEqual(expected);
  });

  test('a search without a filter lists all attributes by name, ten a page, with a count on request', async () => {
    const first = await search({ output: { get_count: 'true' } });
    expect(first.body).toMatchObject({ code: 200, status: 'success', count: 14 });
    expect(first.body.data).toHaveLength(10);
    const second = await search({ output: { pagination: { page: 2 } } });
    expect(second.body).not.toHaveProperty('count');
    const all = [...first.body.data, ...second.body.data].map(({ name }: { name: string }) => name);
    expect(all).toHaveLength(14);
    expect(all).toEqual(all.toSorted());
    expect(await names({ output: { pagination: { page: 3 } } })).toEqual([]);
  });

  test('a search sorts by several fields, and equal attributes in order of creation', async () => {
    const sorting = [{ field: 'category', direction: 'desc' }, { field: 'data_type' }];
    const sorted = await names({ output: { sorting, pagination: { limit: 100 } } });
    expect(sorted.slice(0, 2)).toEqual(['CART_VALUE', 'CART_SIZE']);
    expect(sorted.slice(-2)).toEqual(['LAST_CART', 'NOTE'].toSorted((a, b) => sorted.indexOf(a) - sorted.indexOf(b)));
    const newest = await names({
      output: { sorting: [{ field: 'created_at', direction: 'desc' }], pagination: { limit: 1 } },
    });
    expect(newest).toEqual(['CART_VALUE']);
  });

  test.each([
    [filter(['color', 'equals', 'x']), ['field unknown_field']],
    [filter(['__proto__', 'equals', 'x']), ['field unknown_field']],
    [filter(['name', 'like', 'x']), ['operation unknown_value']],
    [filter(['name', 'constructor', 'x']), ['operation unknown_value']],
    [filter(['data_type', 'contains', 'num']), ['operation not_supported', 'value[0] unknown_value']],
    [filter(['data_type', 'equals', 'integer']), ['value[0] unknown_value']],
    [filter(['name', 'contains', ['a', 'b']]), ['value wrong_arity']],
    [filter(['name', 'equals', []]), ['value wrong_arity']],
    [filter(['name', 'contains', '']), ['value[0] required']],
    [filter(['name', 'equals', 5]), ['value[0] invalid_type']],
  ])('a search refuses the condition %j', async (body, expected) => {
    const place = 'filtering_criteria[0].condition_details[0].';
    expect(faults(await search(body))).toEqual(expected.map((fault) => place + fault));
  });

  test('a search refuses unknown, unsupported and out-of-range parameters', async () => {
    const two = [filter(['name', 'equals', 'A']), filter(['name', 'equals', 'B'])].flatMap(
      (body) => (body as { filtering_criteria: object[] }).filtering_criteria,
    );
    expect(faults(await search({ filtering_criteria: two }))).toEqual(['filtering_criteria_operator required']);
    const misplaced = { name: 'CITY', data_type: 'text', entity_type: 'contact', category: 'custom' };
    for (const [field, value] of Object.entries(misplaced)) {
      expect(faults(await search({ [field]: value }))).toEqual([`${field} unknown_field`]);
    }
    expect(faults(await search({ output: { sorting: [{ field: 'mapping' }] } }))).toEqual([
      'output.sorting[0].field unknown_field',
    ]);
    expect(faults(await search({ output: { pagination: { cursor: 'abc' } } }))).toEqual([
      'output.pagination.cursor not_supported',
    ]);
    // `cursor` is read like any other field: null means absent, and another type than text is
    // refused.
    expect((await search({ output: { pagination: { cursor: null } } })).status).toBe(200);
    expect(faults(await search({ output: { pagination: { Cursor: {} } } }))).toEqual([
      'output.pagination.cursor invalid_type',
    ]);
    expect(faults(await search({ output: { pagination: { limit: 1001 } } }))).toEqual([
      'output.pagination.limit out_of_range',
    ]);
  });
});
