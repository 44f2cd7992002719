import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { maintainIndexes } from '#features/attribute-indexes/maintain-indexes.ts';
import { stepSlots } from '#features/contacts/sweeps/slot-sweep.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';

const service = await forFile(startTestService());
const account = await service.createAccount({ name: 'Values' });
await account.v5('/client/attribute/create', {
  data: [
    { name: 'SCORE', data_type: 'number' },
    { name: 'VIP', data_type: 'boolean' },
    { name: 'SECRET', data_type: 'text', data_masking: 'full' },
    { name: 'NOTES', data_type: 'long_text' },
  ],
});
await service.settled();
const cities = ['Pune', 'Pune', 'Pune', 'Ulm', 'Ulm', 'puna', '<b>100%_Ulm</b>'];
await account.createContacts(
  cities.map((CITY, at) => ({
    identity: `${at}@example.com`,
    attributes: { CITY, SCORE: at % 2, VIP: at > 0, SECRET: 'treasure' },
  })),
);

async function idOf(name: string, of = account): Promise<number> {
  const { body } = await of.operator('GET', '/attributes?limit=500');
  return body.data.find((one: { name: string }) => one.name === name).id;
}

async function valuesOf(name: string, query = '') {
  return account.operator('GET', `/attributes/${await idOf(name)}/values?${query}`);
}

describe('the most frequent values of an attribute', () => {
  test('are exact in a small account, with the number of contacts', async () => {
    expect((await valuesOf('CITY')).body).toEqual({
      data: [
        { value: 'Pune', count: 3 },
        { value: 'Ulm', count: 2 },
        expect.objectContaining({ count: 1 }),
        expect.objectContaining({ count: 1 }),
      ],
      contacts_with_value: 7,
      distinct_values: 4,
      match: 'contains',
      estimated: false,
      sample_size: null,
    });
    expect((await valuesOf('SCORE')).body.data).toEqual([
      { value: 0, count: 4 },
      { value: 1, count: 3 },
    ]);
    expect((await valuesOf('VIP', 'limit=1')).body).toMatchObject({
      data: [{ value: true, count: 6 }],
      distinct_values: 2,
    });
    expect((await valuesOf('STATE')).body).toMatchObject({ data: [], contacts_with_value: 0, distinct_values: 0 });
  });

  test('can be limited to those that contain a text, in any letter case and without wildcards', async () => {
    expect((await valuesOf('CITY', 'contains=PUN')).body.data).toEqual([
      { value: 'Pune', count: 3 },
      { value: 'puna', count: 1 },
    ]);
    expect((await valuesOf('CITY', `contains=${encodeURIComponent('0%_u')}`)).body.data).toEqual([
      { value: '<b>100%_Ulm</b>', count: 1 },
    ]);
    expect((await valuesOf('CITY', 'contains=_')).body.contacts_with_value).toBe(1);
    expect((await valuesOf('SCORE', 'contains=1')).body.data).toEqual([{ value: 1, count: 3 }]);
    expect((await valuesOf('CITY', 'contains=nowhere')).body).toMatchObject({ data: [], contacts_with_value: 0 });
  });

  test('of a masked attribute need the permission unmasked', async () => {
    const id = await idOf('SECRET');
    const withScopes = async (scopes: string[]) => {
      const { api_key: key } = (await account.operator('POST', '/api-keys', { name: 'Key', scopes })).body;
      const url = `/admin/v1/accounts/${account.accountId}/attributes/${id}/values`;
      return service.call('GET', url, { headers: { 'api-key': key } });
    };
    expect((await withScopes(['contacts:read'])).status).toBe(403);
    expect((await withScopes(['attributes:read', 'unmasked'])).status).toBe(403);
    expect((await withScopes(['contacts:read', 'unmasked'])).body.data).toEqual([{ value: 'treasure', count: 7 }]);
  });

  test('are refused for long texts, the primary key and unknown attributes', async () => {
    expect((await valuesOf('NOTES')).status).toBe(400);
    const keyed = await service.createAccount({ name: 'Keyed', primary_key: 'CUSTOMER_ID' });
    const id = await idOf('CUSTOMER_ID', keyed);
    expect((await keyed.operator('GET', `/attributes/${id}/values`)).status).toBe(400);
    expect((await account.operator('GET', '/attributes/4711/values')).status).toBe(404);
    expect((await valuesOf('CITY', 'limit=101')).status).toBe(400);
  });

  test('have only contacts of the account', async () => {
    const other = await service.createAccount({ name: 'Other' });
    const { body } = await other.operator('GET', `/attributes/${await idOf('CITY', other)}/values`);
    expect(body).toMatchObject({ data: [], contacts_with_value: 0 });
  });
});

describe('in an account of 120,000 contacts', () => {
  let large: TestAccount;
  let city: number;
  beforeAll(async () => {
    large = await service.createAccount({ name: 'Large' });
    city = await idOf('CITY', large);
    const key = `${large.accountId}.${city}`;
    await sql`
      insert into contacts (account_id, contact_key, contact_id, contact_type, attributes, created_at, updated_at)
      select ${large.accountId}, 'c' || n, n, 'identified',
        jsonb_build_object(${key}::text, case when n % 4 > 0 then 'Pune' when n % 1000 = 0 then 'Rare ' || n else 'Ulm' end), now(), now()
      from generate_series(1, 120000) n`.execute(service.context.db);
    await sql`insert into contact_numbers (account_id, last_contact_id) values (${large.accountId}, 120000)`.execute(
      service.context.db,
    );
  });

  const values = async (query = '') =>
    (await large.operator('GET', `/attributes/${city}/values?${query}`)).body as {
      data: { value: string; count: number }[];
      [field: string]: unknown;
    };

  test('the numbers are estimated from a sample, and say so', async () => {
    const first = await values();
    expect(first).toMatchObject({ estimated: true, sample_size: 20_000, match: 'contains' });
    expect(first.data.slice(0, 2).map(({ value }) => value)).toEqual(['Pune', 'Ulm']);
    expect(Math.abs(first.data[0]!.count - 90_000)).toBeLessThan(9000);
    // The sample is always the same.
    expect(await values()).toEqual(first);
  });

  test('the index of the attribute finds rare values exactly', async () => {
    await large.operator('PATCH', `/attributes/${city}`, { indexed: true });
    await maintainIndexes(service.context, new AbortController().signal);
    // All contacts in one step, and the end.
    await stepSlots(service.context, large.accountId, 120_000);
    await stepSlots(service.context, large.accountId, 1);
    await maintainIndexes(service.context, new AbortController().signal);
    expect(await values('contains=rare%2040')).toMatchObject({
      data: [
        { value: 'Rare 4000', count: 1 },
        { value: 'Rare 40000', count: 1 },
      ],
      estimated: false,
      match: 'starts_with',
    });
    // Too many contacts begin with this text.
    expect(await values('contains=pu')).toMatchObject({ estimated: true, match: 'contains' });
  });

  test('all are counted when most contacts were deleted', async () => {
    await sql`delete from contacts where account_id = ${large.accountId} and contact_id % 3 > 0`.execute(
      service.context.db,
    );
    expect(await values()).toMatchObject({ estimated: false, contacts_with_value: 40_000 });
  });
});
