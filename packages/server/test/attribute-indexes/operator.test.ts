import { OperatorAttribute, pageAnswer } from '@roster/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { expectShape } from '../operator/shape.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';

let account: TestAccount;
const service = await forFile(startTestService({ now: () => new Date('2026-08-01T09:00:00.000Z') }));
beforeEach(async () => {
  account = await service.createAccount({ name: 'Some', primary_key: 'CUSTOMER_ID' });
});

// The system attributes have the numbers 1 to 10.
const city = 5;
const customerId = 11;

describe("the operator's list of attributes", () => {
  test('the list has every attribute in order of its number, page by page', async () => {
    const all = await account.operator('GET', '/attributes');
    expect(all.status).toBe(200);
    expectShape(pageAnswer('OperatorAttribute'), all.body);
    expect(all.body.data.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(all.body.next_cursor).toBeNull();

    const first = await account.operator('GET', '/attributes?limit=7');
    const second = await account.operator('GET', `/attributes?limit=7&cursor=${first.body.next_cursor}`);
    expect([...first.body.data, ...second.body.data]).toEqual(all.body.data);
    expect(second.body.next_cursor).toBeNull();
  });

  test('the list refuses an invalid cursor and an account that does not exist', async () => {
    expect((await account.operator('GET', '/attributes?cursor=x')).status).toBe(400);
    expect((await service.operator('GET', '/accounts/999/attributes')).status).toBe(404);
  });
});

test('an operator sees an attribute as the V5 API shows it, and the state of its index', async () => {
  const { body } = await account.operator('GET', `/attributes/${city}`);
  expectShape(OperatorAttribute, body);
  const { indexed, index_status, filled, ...record } = body;
  expect({ indexed, index_status, filled }).toEqual({ indexed: false, index_status: 'none', filled: 0 });
  const found = await account.v5('/client/attribute/search', {
    filtering_criteria: [{ condition_details: [{ field: 'name', operation: 'equals', value: 'CITY' }] }],
  });
  expect(found.body.data).toEqual([record]);
});

test('the default of a masked attribute is masked for a caller who may not see unmasked values', async () => {
  const attribute = { name: 'PIN', data_type: 'text', data_masking: 'full', default_value: '4711' };
  await account.createAttributes([attribute]);
  const headers = { 'api-key': account.apiKey };
  const own = (path: string) => service.call('GET', `/admin/v1/accounts/${account.accountId}${path}`, { headers });
  expect((await own('/attributes/12')).body).toMatchObject({ name: 'PIN', default_value: '****' });
  expect((await own('/attributes')).body.data.at(-1)).toMatchObject({ name: 'PIN', default_value: '****' });
  expect((await account.operator('GET', '/attributes/12')).body).toMatchObject({ default_value: '4711' });
});

test('a request for an index returns at once, is written to the audit log, and can be repeated', async () => {
  const asked = await account.operator('PATCH', `/attributes/${city}`, { indexed: true });
  expect(asked.status).toBe(200);
  expectShape(OperatorAttribute, asked.body);
  expect(asked.body).toMatchObject({ id: city, name: 'CITY', indexed: true, index_status: 'building' });
  expect((await account.operator('PATCH', `/attributes/${city}`, { indexed: true })).body).toEqual(asked.body);
  const taken = await account.operator('PATCH', `/attributes/${city}`, { indexed: false });
  expect(taken.body).toMatchObject({ indexed: false, index_status: 'none' });

  const { data } = (await account.operator('GET', '/audit-log')).body;
  expect(data.slice(0, 2)).toEqual([
    expect.objectContaining({
      actor: 'operator',
      action: 'attribute.update',
      subject: `attribute:${city}`,
      details: { name: 'CITY', changes: { indexed: { from: true, to: false } } },
    }),
    expect.objectContaining({ details: { name: 'CITY', changes: { indexed: { from: false, to: true } } } }),
  ]);
});

test('an index on an attribute of one account does not affect another account', async () => {
  const other = await service.createAccount();
  await account.operator('PATCH', `/attributes/${city}`, { indexed: true });
  expect((await other.operator('GET', `/attributes/${city}`)).body).toMatchObject({ indexed: false });
  // The other account has no attribute with this number.
  expect((await other.operator('PATCH', `/attributes/${customerId}`, { indexed: true })).status).toBe(404);
});

describe('requests for an index that are refused', () => {
  const patch = (id: number | string, body: unknown) => account.operator('PATCH', `/attributes/${id}`, body);
  const errors = (field: string, code: string, message: RegExp) => [
    { field, code, message: expect.stringMatching(message) as string },
  ];

  test('an attribute that does not exist cannot be indexed', async () => {
    for (const id of [12, 0, 'CITY', 99_999_999_999]) expect((await patch(id, { indexed: true })).status).toBe(404);
    expect((await account.operator('GET', '/attributes/12')).body.description).toContain('attribute 12 in account');
  });

  test.each([
    [{}, 'indexed'],
    [{ indexed: null }, 'indexed'],
    [{ indexed: 'soon' }, 'indexed'],
    [{ indexed: true, name: 'X' }, 'name'],
  ])('the body %j is refused', async (body, field) => {
    const answer = await patch(city, body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toContain(field);
  });

  test('an attribute of type long_text cannot be indexed', async () => {
    await account.createAttributes([{ name: 'NOTES', data_type: 'long_text' }]);
    const answer = await patch(12, { indexed: true });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual(
      errors('indexed', 'not_supported', /NOTES, because values of the type long_text are not indexed/),
    );
    expect((await patch(12, { indexed: false })).status).toBe(200);
  });

  test('the primary key cannot be indexed again', async () => {
    const answer = await patch(customerId, { indexed: true });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual(
      errors('indexed', 'not_allowed', /CUSTOMER_ID, because the primary key is always indexed/),
    );
  });

  test('an account cannot have more than 20 indexed attributes', async () => {
    const data = Array.from({ length: 21 }, (_, index) => ({ name: `A${index}`, data_type: 'number' }));
    await account.createAttributes(data);
    const answers = await Promise.all(data.map(async (_, index) => patch(12 + index, { indexed: true })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(refused.body.description).toMatch(
      /^The account has 20 indexed attributes, .*Remove the index of another attribute first\.$/,
    );
    expect((await patch(12, { indexed: false })).status).toBe(200);
    expect((await patch(city, { indexed: true })).status).toBe(200);
  });
});

test('an attribute that becomes the primary key loses its index', async () => {
  const other = await service.createAccount();
  await other.createAttributes([{ name: 'CODE', data_type: 'text' }]);
  await other.operator('PATCH', '/attributes/11', { indexed: true });
  expect((await service.operator('PATCH', `/accounts/${other.accountId}`, { primary_key: 'CODE' })).status).toBe(200);
  expect((await other.operator('GET', '/attributes/11')).body).toMatchObject({ indexed: false, index_status: 'none' });
});
