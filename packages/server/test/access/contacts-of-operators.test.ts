import type { Scope } from '@roster/contract';
import { expect, test } from 'vitest';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type Answer } from '../support/service.ts';

const service = await forFile(startTestService());
await service.first.createAttributes([
  { name: 'CITY', data_type: 'text' },
  { name: 'TAX_ID', data_type: 'text', data_masking: 'full' },
]);
await service.first.createContacts([{ identity: 'asha@example.com', attributes: { CITY: 'Pune', TAX_ID: '12-34' } }]);

const search = { output: { fields: ['EMAIL', 'CITY', 'TAX_ID'] } };

async function searchWith(headers: Record<string, string>, body: object = search, accountId = 1): Promise<Answer> {
  return service.call('POST', `/admin/v1/accounts/${accountId}/contact/search`, { headers, body });
}

async function keyWith(scopes: readonly Scope[]): Promise<Record<string, string>> {
  const { body } = await service.first.operator('POST', '/api-keys', { name: 'Test', scopes });
  return { 'api-key': body.api_key as string };
}

const operator = { authorization: `Bearer ${testAdminToken}` };

test('the operator token searches contacts below the path of the account, with unmasked values', async () => {
  const { status, body } = await searchWith(operator);
  expect([status, body.data]).toEqual([200, [{ EMAIL: 'asha@example.com', CITY: 'Pune', TAX_ID: '12-34' }]]);
});

test('values are masked for callers without the permission unmasked', async () => {
  const { body } = await searchWith(await keyWith(['contacts:read']));
  expect(body.data).toEqual([{ EMAIL: 'asha@example.com', CITY: 'Pune', TAX_ID: '****' }]);
  const { body: unmasked } = await searchWith(await keyWith(['contacts:read', 'unmasked']));
  expect(unmasked.data[0].TAX_ID).toBe('12-34');
});

test('a filter on a masked attribute is refused without the permission unmasked', async () => {
  const filter = {
    filtering_criteria: [
      { condition_operator: 'and', condition_details: [{ field: 'TAX_ID', operation: 'equals', value: ['12-34'] }] },
    ],
  };
  const masked = await searchWith(await keyWith(['contacts:read']), filter);
  expect([masked.status, masked.body.errors[0]?.code]).toEqual([403, 'missing_scope']);

  const scopes: Scope[] = ['segments:read', 'segments:write'];
  const segment = { name: 'One tax id', ...filter };
  const path = '/admin/v1/accounts/1/segments';
  const refused = await service.call('POST', path, { headers: await keyWith(scopes), body: segment });
  expect([refused.status, refused.body.errors[0]?.code]).toEqual([403, 'missing_scope']);
  const allowed = await service.call('POST', path, {
    headers: await keyWith([...scopes, 'unmasked']),
    body: segment,
  });
  expect(allowed.status).toBe(201);
});

test('contacts are created, updated and deleted below the path of the account', async () => {
  const post = (path: string, data: object) =>
    service.operator('POST', `/accounts/1${path}`, { data: data as Record<string, unknown> });
  const contacts = [{ identity: 'ben@example.com' }];
  expect((await post('/contact/create', { contact_type: 'identified', contacts })).status).toBe(200);
  await service.settled();
  const change = [{ identity: 'ben@example.com', attributes: { CITY: 'Oslo' } }];
  expect((await post('/contact/update', { contacts: change })).status).toBe(200);
  await service.settled();
  expect((await searchWith(operator)).body.data).toContainEqual({
    EMAIL: 'ben@example.com',
    CITY: 'Oslo',
    TAX_ID: null,
  });
  expect((await post('/contact/delete', { contacts })).status).toBe(200);
  await service.settled();
  expect((await searchWith(operator)).body.data).toHaveLength(1);
});

test('an attribute that an operator creates has the operator as its author', async () => {
  const made = await service.first.operator('POST', '/client/attribute/create', {
    data: [{ name: 'SHOE_SIZE', data_type: 'number' }],
  });
  expect(made.status).toBe(200);
  await service.settled();
  const { body } = await service.first.operator('GET', '/audit-log?limit=1');
  expect(body.data[0]).toMatchObject({ action: 'attribute.create', actor: 'operator' });
});

test('an unknown account and an invalid account number get 404', async () => {
  for (const [id, what] of [
    [4711, 'account 4711'],
    ['x', 'account x'],
  ] as const) {
    const { status, body } = await searchWith(operator, search, id as number);
    expect([status, body.description]).toEqual([404, `There is no ${what}`]);
  }
});

test('the operations of exports, batch add and activity stay with API keys', async () => {
  for (const path of [
    '/v4/audience/export',
    '/v3/contact/batchadd',
    '/v3/contact/blacklist',
    '/v4/audience/list',
    '/apiv2',
  ]) {
    expect((await service.first.operator('POST', path, {})).status).toBe(404);
  }
});

test('an API key never gives another key more scopes than its maker has', async () => {
  const { status } = await service.call('POST', '/admin/v1/accounts/1/api-keys', {
    headers: await keyWith(['contacts:read']),
    body: { name: 'More', scopes: ['unmasked'] },
  });
  expect(status).toBe(403);
});
