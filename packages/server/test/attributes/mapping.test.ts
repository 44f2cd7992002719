import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { attributeAccount, faults, path, type AttributeAccount } from './attribute-account.ts';

const service = await forFile(startTestService());

describe('a mapping to a system attribute', () => {
  test('a mapped attribute can be read and written by the name of the system attribute', async () => {
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

  test('segments follow a mapping while it exists, even segments saved before it', async () => {
    const account = await attributeAccount(service);
    await account.contact('a@example.com', { CITY: 'Pune' });
    const filtering_criteria = [{ condition_details: [{ field: 'CITY', operation: 'equals', value: ['Pune'] }] }];
    const save = async (name: string) =>
      (await account.operator('POST', '/segments', { name, filtering_criteria })).body.audience_id as number;
    const count = async (id: number) => (await account.operator('GET', `/segments/${id}/count`)).body.count as number;
    const before = await save('before');
    await account.create({ name: 'TOWN', data_type: 'text', mapping: 'CITY' });
    await account.contact('b@example.com', { TOWN: 'Pune' });
    await account.contact('c@example.com', { CITY: 'Pune' });
    const under = await save('under');
    expect([await count(before), await count(under)]).toEqual([2, 2]);
    const shown = (await account.operator('GET', `/segments/${under}`)).body;
    expect(JSON.stringify(shown)).toContain('"field":"CITY"');
    await account.update({ name: 'TOWN', mapping: null });
    expect([await count(before), await count(under)]).toEqual([1, 1]);
  });

  test('an invalid mapping is refused, and the fault names its field', async () => {
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

describe('the mask of an attribute', () => {
  test('a mask hides values from keys without the scope `unmasked`, which cannot filter or sort by them either', async () => {
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

  test('only a key with the scope `unmasked` can weaken or remove a mask', async () => {
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

  describe('the mask of a mapped attribute', () => {
    const trustedKey = async (account: AttributeAccount): Promise<Record<string, string>> => {
      const scopes = ['attributes:write', 'contacts:read', 'unmasked'];
      return { 'api-key': (await account.operator('POST', '/api-keys', { name: 'Trusted', scopes })).body.api_key };
    };

    test.each([
      ['none', 'full', '****'],
      ['none', 'partial', '******1990'],
      ['partial', 'full', '****'],
      ['full', 'partial', '****'],
      ['partial', 'none', '******1990'],
    ])('an attribute with the mask %s, mapped to one with the mask %s, shows %s', async (own, target, shown) => {
      const account = await attributeAccount(service);
      await account.update({ name: 'CITY', data_masking: target });
      await account.create({ name: 'BORN', data_type: 'text', data_masking: own, mapping: 'CITY' });
      await account.contact('a@example.com', { CITY: '31-01-1990' });
      expect(await account.values('BORN', 'CITY')).toEqual([[shown, shown]]);
      for (const field of ['BORN', 'CITY']) {
        const condition = { field, operation: 'equals', value: '31-01-1990' };
        const filter = { filtering_criteria: [{ condition_details: [condition] }] };
        expect((await account.v5('/contact/search', filter)).status).toBe(403);
        expect((await account.v5('/contact/search', { output: { sorting: [{ field }] } })).status).toBe(403);
      }
      const output = { fields: ['BORN'] };
      const trusted = await account.v5('/contact/search', { output }, await trustedKey(account));
      expect(trusted.body.data).toEqual([{ BORN: '31-01-1990' }]);
      expect((await account.find('BORN', 'CITY')).map(({ data_masking }) => data_masking)).toEqual([own, target]);
    });

    test('a key without the scope `unmasked` cannot remove or move a mapping to a masked attribute', async () => {
      const account = await attributeAccount(service);
      await account.update({ name: 'CITY', data_masking: 'full' });
      await account.create(
        { name: 'TOWN', data_type: 'text', mapping: 'CITY' },
        { name: 'PLACE', data_type: 'text' },
        { name: 'AREA', data_type: 'text', mapping: 'STATE' },
      );
      await account.contact('a@example.com', { CITY: 'Pune' });
      const refused = { status: 403, body: { errors: [{ code: 'missing_scope', field: 'data[0].mapping' }] } };
      expect(await account.update({ name: 'TOWN', mapping: null })).toMatchObject(refused);
      expect(await account.update({ name: 'TOWN', mapping: 'COUNTRY' })).toMatchObject(refused);
      expect(await account.update({ name: 'TOWN', mapping: null, data_masking: 'partial' })).toMatchObject(refused);
      const handOver = [
        { name: 'TOWN', mapping: null },
        { name: 'PLACE', mapping: 'CITY' },
      ];
      expect(await account.update(...handOver)).toMatchObject(refused);
      expect(await account.update({ name: 'CITY', data_masking: 'none' }, handOver[0]!)).toMatchObject({
        status: 403,
        body: { errors: [{ field: 'data[0].data_masking' }, { field: 'data[1].mapping' }] },
      });
      expect(await account.values('TOWN')).toEqual([['****']]);
      // These changes remove no mask.
      expect((await account.update({ name: 'AREA', mapping: null })).status).toBe(200);
      expect((await account.update({ name: 'TOWN', category: 'location' })).status).toBe(200);
      expect((await account.update({ name: 'TOWN', mapping: null, data_masking: 'full' })).status).toBe(200);
      expect(await account.values('TOWN')).toEqual([['****']]);
    });

    test('a key with the scope `unmasked` can remove a mapping to a masked attribute', async () => {
      const account = await attributeAccount(service);
      await account.update({ name: 'CITY', data_masking: 'partial' });
      await account.create({ name: 'TOWN', data_type: 'text', mapping: 'CITY' });
      await account.contact('a@example.com', { CITY: 'Pune' });
      const change = { data: [{ name: 'TOWN', mapping: null }] };
      expect((await account.v5(path.update, change, await trustedKey(account))).status).toBe(200);
      expect(await account.values('TOWN')).toEqual([['Pune']]);
    });
  });
});
