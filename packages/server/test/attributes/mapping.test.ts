import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { attributeAccount, faults, path } from './attribute-account.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

describe('mapping', () => {
  test('reads and writes an attribute by the name of the system attribute', async () => {
    const account = await attributeAccount(service);
    await account.contact('a@example.com', { CITY: 'Hidden' });
    await account.create({ name: 'TOWN', data_type: 'text', mapping: 'city', default_value: 'Delhi' });
    await account.contact('b@example.com', { CITY: 'Pune' });
    await account.contact('c@example.com', { TOWN: 'Mumbai' });
    await account.contact('d@example.com', {});
    const seen = [['a'], ['Pune'], ['Mumbai'], ['Delhi']].map(([town]) => (town === 'a' ? [null, null] : [town, town]));
    expect(await account.values('CITY', 'TOWN')).toEqual(seen);
    const rows = await account.rows({
      filtering_criteria: [{ condition_details: [{ field: 'city', operation: 'starts_with', value: 'p' }] }],
      output: { fields: ['identity'], sorting: [{ field: 'CITY', direction: 'desc' }] },
    });
    expect(rows).toEqual([{ identity: 'b@example.com' }]);
    await account.update({ name: 'TOWN', mapping: null });
    expect(await account.values('CITY', 'TOWN')).toEqual([
      ['Hidden', null],
      [null, 'Pune'],
      [null, 'Mumbai'],
      [null, 'Delhi'],
    ]);
  });

  test('is refused at the place where it is wrong', async () => {
    const account = await attributeAccount(service);
    await account.create({ name: 'TOWN', data_type: 'text', mapping: 'CITY' });
    const refuse = async (...data: object[]) => faults(await account.v5(path.create, { data }));
    expect(
      await refuse(
        { name: 'A', data_type: 'text', mapping: 'CITY' },
        { name: 'B', data_type: 'number', mapping: 'STATE' },
      ),
    ).toEqual(['data[0].mapping not_supported', 'data[1].mapping not_supported']);
    expect(
      await refuse(
        { name: 'A', data_type: 'text', mapping: 'STATE' },
        { name: 'B', data_type: 'text', mapping: 'STATE' },
      ),
    ).toEqual(['data[1].mapping duplicate']);
    expect(await refuse({ name: 'A', data_type: 'text', mapping: 'TOWN' })).toEqual(['data[0].mapping unknown_value']);
  });
});

describe('masking', () => {
  test('hides values from keys without the scope unmasked, and refuses to filter or sort by them', async () => {
    const account = await attributeAccount(service);
    await account.create(
      { name: 'CARD', data_type: 'text', data_masking: 'partial' },
      { name: 'SALARY', data_type: 'number', data_masking: 'full' },
    );
    await account.contact('a@example.com', { CARD: '4111111111111111', SALARY: 50_000 });
    await account.contact('b@example.com', { CARD: '😀😀😀😀😀', SALARY: 1 });
    expect(await account.values('CARD', 'SALARY')).toEqual([
      ['************1111', '****'],
      ['****', '****'],
    ]);
    const filter = {
      filtering_criteria: [{ condition_details: [{ field: 'SALARY', operation: 'greater_than', value: 10 }] }],
    };
    const refused = await account.v5('/contact/search', filter);
    expect(refused).toMatchObject({
      status: 403,
      body: { errors: [{ code: 'missing_scope', field: 'filtering_criteria[0].condition_details[0].field' }] },
    });
    expect((await account.v5('/contact/search', { output: { sorting: [{ field: 'CARD' }] } })).status).toBe(403);
    const scopes = ['contacts:read', 'unmasked'];
    const key = (await account.operator('POST', '/api-keys', { name: 'Trusted', scopes })).body.api_key;
    const trusted = await account.v5(
      '/contact/search',
      { ...filter, output: { fields: ['CARD', 'SALARY'] } },
      { 'api-key': key },
    );
    expect(trusted.body.data).toEqual([{ CARD: '4111111111111111', SALARY: 50_000 }]);
  });

  test('is taken away only by who may see the values', async () => {
    const account = await attributeAccount(service);
    await account.create({ name: 'CARD', data_type: 'text', data_masking: 'full' });
    await account.contact('a@example.com', { CARD: '4111111111111111' });
    for (const data_masking of ['none', 'partial']) {
      const refused = await account.update({ name: 'CARD', data_masking, new_name: 'CREDIT_CARD' });
      expect(refused).toMatchObject({
        status: 403,
        body: { errors: [{ code: 'missing_scope', field: 'data[0].data_masking' }] },
      });
    }
    const both = await account.update(
      { name: 'CARD', data_masking: 'none' },
      { name: 'NOT_THERE', category: 'custom' },
    );
    expect(faults(both)).toEqual(['data[0].data_masking missing_scope', 'data[1] not_found']);
    expect((await account.update({ name: 'CARD', data_masking: 'full', category: 'profile' })).status).toBe(200);
    expect((await account.update({ name: 'LANGUAGE', data_masking: 'partial' })).status).toBe(200);
    expect(await account.values('CARD')).toEqual([['****']]);

    const scopes = ['attributes:write', 'unmasked'];
    const key = (await account.operator('POST', '/api-keys', { name: 'Trusted', scopes })).body.api_key;
    const change = { data: [{ name: 'CARD', data_masking: 'none' }] };
    expect((await account.v5(path.update, change, { 'api-key': key })).status).toBe(200);
    expect(await account.values('CARD')).toEqual([['4111111111111111']]);
  });
});
