import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { attributeAccount, faults, path } from './attribute-account.ts';

const service = await forFile(startTestService());

/** Definitions of text attributes, named A and a number. */
function definitions(from: number, size: number): { name: string; data_type: string }[] {
  return Array.from({ length: size }, (_, at) => ({ name: `A${from + at}`, data_type: 'text' }));
}

describe('creating attributes', () => {
  test('new attributes get ids and defaults, also from a request to the other path', async () => {
    const account = await attributeAccount(service);
    const request = await account.create(
      { NAME: ' tier ', Data_Type: 'TEXT', default_value: 5 },
      { name: 'SCORE', entity_type: 'Contact', category: 'Behaviour', data_type: 'number', data_masking: 'Full' },
    );
    expect(request).toMatchObject({ operation: 'attribute.create', status: 'done', failures: [] });
    expect(request.counts).toMatchObject({ total: 2, created: 2, failed: 0 });
    const [score, tier] = await account.find('SCORE', 'TIER');
    expect(tier).toEqual({
      id: 11,
      name: 'TIER',
      entity_type: 'contact',
      category: 'custom',
      data_type: 'text',
      default_value: '5',
      mapping: null,
      data_masking: 'none',
      system: false,
      created_at: expect.stringMatching(/Z$/),
      updated_at: tier!['created_at'],
    });
    expect(score).toMatchObject({ id: 12, category: 'behaviour', default_value: null, data_masking: 'full' });
    const plain = await service.call('POST', path.create, {
      body: { data: { name: 'PLAIN', data_type: 'date' } },
      headers: { 'api-key': account.apiKey },
    });
    expect(plain.status).toBe(200);
    await service.settled();
    expect(await account.find('PLAIN')).toHaveLength(1);
  });

  test('a request with faults is refused, and each fault names its field', async () => {
    const account = await attributeAccount(service);
    const good = { name: 'GOOD', data_type: 'text' };
    const refuse = async (data: unknown) => faults(await account.v5(path.create, { data }));
    expect(await refuse([])).toEqual(['data too_few_items']);
    expect(await refuse(Array.from({ length: 101 }, (_, i) => ({ ...good, name: `A${i}` })))).toEqual([
      'data too_many_items',
    ]);
    expect(
      await refuse([
        { name: '1ST', data_type: 'text' },
        { name: 'A'.repeat(65), data_type: 'text' },
        { name: 'WITH SPACE', data_type: 'text' },
        { name: 'email', data_type: 'text' },
        { name: 'contact_id', data_type: 'text' },
        { name: 'GOOD' },
        { data_type: 'text' },
        { name: 'A7', data_type: 'integer' },
        { ...good, name: 'A8', category: 'other' },
        { ...good, name: 'A9', data_masking: 'some' },
        { ...good, name: 'A10', entity_type: 'company' },
        { ...good, name: 'A11', mapping: 'EMAIL' },
        { ...good, name: 7 },
        { ...good, name: 'A13', default_value: { a: 1 } },
        { ...good, name: 'straße' },
        { ...good, name: 'cıty' },
        { ...good, name: 'A16', masking: 'full' },
        { ...good, name: 'A17', data_masking: 'full', Data_Masking: 'none' },
      ]),
    ).toEqual([
      'data[0].name invalid_format',
      'data[1].name invalid_format',
      'data[2].name invalid_format',
      'data[3].name not_allowed',
      'data[4].name not_allowed',
      'data[5].data_type required',
      'data[6].name required',
      'data[7].data_type unknown_value',
      'data[8].category unknown_value',
      'data[9].data_masking unknown_value',
      'data[10].entity_type unknown_value',
      'data[11].mapping unknown_value',
      'data[12].name invalid_type',
      'data[13].default_value invalid_type',
      'data[14].name invalid_format',
      'data[15].name invalid_format',
      'data[16].masking unknown_field',
      'data[17].data_masking duplicate',
    ]);
    expect(
      await refuse([good, { ...good, name: 'good' }, { name: 'N', data_type: 'number', default_value: '1,000' }]),
    ).toEqual(['data[1].name duplicate', 'data[2].default_value invalid_type']);
    expect(await account.find('GOOD', 'N')).toEqual([]);
  });

  test('an existing attribute is left unchanged, and the others in the request are created', async () => {
    const account = await attributeAccount(service);
    await account.create({ name: 'TIER', data_type: 'text' });
    const request = await account.create(
      { name: 'TIER', data_type: 'number' },
      { name: 'CITY', data_type: 'text' },
      { name: 'NEW', data_type: 'date' },
    );
    expect(request.counts).toMatchObject({ total: 3, created: 1, failed: 2 });
    expect(request.failures).toMatchObject([
      { index: 0, code: 'attribute_exists', field: 'name', warning: false },
      { index: 1, code: 'attribute_exists', field: 'name' },
    ]);
    expect(await account.find('TIER', 'NEW')).toMatchObject([{ name: 'NEW' }, { name: 'TIER', data_type: 'text' }]);
  });

  test('a request that would create a 501st attribute is refused as a whole', async () => {
    const account = await attributeAccount(service);
    for (let from = 0; from < 400; from += 100) await account.create(...definitions(from, 100));
    const refused = await account.v5(path.create, { data: [...definitions(399, 1), ...definitions(400, 91)] });
    expect(faults(refused)).toEqual(['data[91].name too_many_items']);
    await service.settled();
    expect(await account.find('A400')).toEqual([]);
    // An existing name does not count towards the limit.
    const last = await account.create(...definitions(399, 1), ...definitions(400, 90));
    expect(last.counts).toMatchObject({ created: 90, failed: 1 });
    expect(faults(await account.v5(path.create, { data: definitions(500, 1) }))).toEqual([
      'data[0].name too_many_items',
    ]);
  });

  test('the limit of 500 attributes is checked again when a request is applied', async () => {
    await using waiting = await startTestService({ worker: false });
    const { first } = waiting;
    for (let from = 0; from < 500; from += 100) {
      expect((await first.v5(path.create, { data: definitions(from, 100) })).status).toBe(200);
    }
    await using worker = waiting.startWorker();
    void worker;
    await waiting.settled();
    const [last] = (await first.operator('GET', '/requests?limit=1')).body.data;
    expect(last.counts).toMatchObject({ created: 90, failed: 10 });
    const { failures } = (await first.operator('GET', `/requests/${last.request_id}`)).body;
    expect(failures[0]).toMatchObject({ index: 90, code: 'attribute_count', field: 'name' });
  });

  test('writing attributes needs the scope attributes:write, and reading them attributes:read', async () => {
    const account = await attributeAccount(service);
    const key = async (scopes: string[]) =>
      (await account.operator('POST', '/api-keys', { name: 'Narrow', scopes })).body.api_key;
    const reader = { 'api-key': await key(['attributes:read']) };
    const writer = { 'api-key': await key(['attributes:write']) };
    const body = { data: [{ name: 'X', data_type: 'text' }] };
    expect((await account.v5(path.create, body, reader)).status).toBe(403);
    expect((await account.v5(path.update, { data: [{ name: 'CITY', category: 'custom' }] }, reader)).status).toBe(403);
    expect((await account.v5(path.delete, { data: ['CITY'] }, reader)).status).toBe(403);
    expect((await account.v5('/client/attribute/search', {}, writer)).status).toBe(403);
    expect((await account.v5('/client/attribute/usage', { data: ['CITY'] }, writer)).status).toBe(403);
    expect((await account.v5('/client/attribute/search', {}, reader)).status).toBe(200);
  });

  test('a create request repeated with the same idempotency key is applied once', async () => {
    const account = await attributeAccount(service);
    const send = (name: string) =>
      account.v5(path.create, { data: [{ name, data_type: 'text' }] }, { 'idempotency-key': 'once' });
    const [first, second] = [await send('ONCE'), await send('ONCE')];
    expect(second.body.request_id).toBe(first.body.request_id);
    expect((await send('OTHER')).status).toBe(409);
    await service.settled();
    const log = await account.operator('GET', '/requests');
    expect(log.body.data).toHaveLength(1);
  });
});

describe('attributes of another account', () => {
  test('an account cannot see, change or delete the attributes of another account', async () => {
    const mine = await attributeAccount(service);
    await mine.create({ name: 'MINE', data_type: 'text' });
    await mine.contact('a@example.com', { MINE: 'secret' });
    const other = await attributeAccount(service, { name: 'Other' });
    expect(await other.find('MINE')).toEqual([]);
    expect((await other.update({ name: 'MINE', new_name: 'STOLEN' })).status).toBe(400);
    expect((await other.v5(path.delete, { data: ['MINE', { id: 11 }] })).status).toBe(400);
    expect((await other.v5('/client/attribute/usage', { data: [11] })).status).toBe(400);
    await other.create({ name: 'MINE', data_type: 'number' });
    expect(await mine.values('MINE')).toEqual([['secret']]);
    expect(await mine.find('MINE')).toMatchObject([{ data_type: 'text' }]);
  });
});
