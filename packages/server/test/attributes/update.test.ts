import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { attributeAccount, faults, path } from './attribute-account.ts';

const service = await forFile(startTestService());

describe('updating attributes', () => {
  test('a blank name counts as absent', async () => {
    const account = await attributeAccount(service);
    await account.create({ name: 'TIER', data_type: 'text' });
    const answer = await account.update({ name: 'TIER', new_name: ' ', category: 'profile' });
    expect(answer).toMatchObject({ status: 200, body: { data: [{ name: 'TIER', category: 'profile' }] } });
    const { id } = answer.body.data[0];
    expect(await account.update({ id, name: '', category: 'location' })).toMatchObject({ status: 200 });
    expect((await account.update({ name: '', category: 'profile' })).status).toBe(400);
    await account.update({ id, mapping: 'CITY' });
    const renamed = await account.update({ id, mapping: '', new_name: 'LEVEL' });
    expect(renamed).toMatchObject({ status: 200, body: { data: [{ name: 'LEVEL', mapping: 'CITY' }] } });
  });

  test('a rename takes effect at once in contacts and segments', async () => {
    const account = await attributeAccount(service);
    await account.create({ name: 'TIER', data_type: 'text' });
    await account.contact('a@example.com', { TIER: 'gold' });
    const segment = await account.operator('POST', '/segments', {
      name: 'Gold',
      filtering_criteria: [{ condition_details: [{ field: 'TIER', operation: 'equals', value: 'gold' }] }],
    });
    const answer = await account.update({
      name: 'tier',
      new_name: 'level',
      category: 'profile',
      data_masking: 'partial',
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { code: 200, status: 'success', data: [{ name: 'LEVEL', category: 'profile', data_masking: 'partial' }] },
    });
    expect(await account.values('LEVEL')).toEqual([['****']]);
    const { audience_id: id } = segment.body;
    expect((await account.operator('GET', `/segments/${id}/count`)).body.count).toBe(1);
    const shown = await account.operator('GET', `/segments/${id}`);
    expect(shown.body.filtering_criteria[0].condition_details[0].field).toBe('LEVEL');
    const audit = await account.operator('GET', '/audit-log?limit=1');
    expect(audit.body.data[0]).toMatchObject({
      actor: expect.stringMatching(/^api-key:\d+$/),
      action: 'attribute.update',
      subject: 'attribute:11',
      details: { changes: { name: { from: 'TIER', to: 'LEVEL' } } },
    });
  });

  test('one request can swap two names, and null clears a field', async () => {
    const account = await attributeAccount(service);
    await account.create(
      { name: 'A', data_type: 'text', mapping: 'CITY', default_value: 'x' },
      { name: 'B', data_type: 'number' },
    );
    const answer = await account.update(
      { name: 'A', new_name: 'B', mapping: null, default_value: null },
      { id: 12, new_name: 'A' },
    );
    expect(answer.body.data).toMatchObject([
      { id: 11, name: 'B', mapping: null, default_value: null },
      { id: 12, name: 'A' },
    ]);
  });

  test('renaming the primary key updates everything that refers to it', async () => {
    const account = await attributeAccount(service, { name: 'Keyed', primary_key: 'CUSTOMER_ID' });
    await account.contact('c-1', {});
    expect((await account.update({ name: 'CUSTOMER_ID', new_name: 'MEMBER_ID' })).status).toBe(200);
    const request = await account.contact('c-1', { MEMBER_ID: 'c-1', CITY: 'Pune' });
    expect(request).toMatchObject({ failures: [], counts: { updated: 1 } });
    expect(await account.values('MEMBER_ID', 'CITY')).toEqual([['c-1', 'Pune']]);
    expect((await account.operator('GET', '')).body.primary_key).toBe('MEMBER_ID');
  });

  test('an update with a fault changes nothing, and each fault names its field', async () => {
    const account = await attributeAccount(service);
    await account.create(
      { name: 'A', data_type: 'text' },
      { name: 'B', data_type: 'number', default_value: 1 },
      { name: 'C', data_type: 'text', mapping: 'STATE' },
    );
    const refused = await account.update(
      { name: 'A', category: 'profile' },
      { name: 'B', new_name: 'A' },
      { name: 'NOT_THERE', category: 'profile' },
      { name: 'CITY', new_name: 'TOWN' },
      { name: 'A', data_masking: 'full' },
      { id: 13, name: 'A', category: 'profile' },
    );
    expect(faults(refused)).toEqual([
      'data[1].new_name taken',
      'data[2] not_found',
      'data[3].new_name not_allowed',
      'data[4] duplicate',
      'data[5].name not_found',
    ]);
    expect(await account.find('A')).toMatchObject([{ category: 'custom', data_masking: 'none' }]);
    const one = async (change: object) => faults(await account.update(change));
    expect(await one({ name: 'A', mapping: 'STATE' })).toEqual(['data[0].mapping not_supported']);
    expect(await one({ name: 'A', mapping: 'BIRTH_DATE' })).toEqual(['data[0].mapping not_supported']);
    expect(await one({ name: 'A', mapping: 'A' })).toEqual(['data[0].mapping unknown_value']);
    expect(await one({ name: 'CITY', mapping: 'CITY' })).toEqual(['data[0].mapping not_supported']);
    expect(await one({ name: 'A', new_name: 'email' })).toEqual(['data[0].new_name not_allowed']);
    expect(await one({ name: 'B', default_value: 'many' })).toEqual(['data[0].default_value invalid_type']);
    expect(await one({ name: 'B', data_type: 'date' })).toEqual(['data[0].data_type invalid_type']);
    expect(await one({ name: 'A' })).toEqual(['data[0] required']);
    expect(await one({ category: 'profile' })).toEqual(['data[0] required']);
    expect(await one({ name: 'A', entity_type: 'contact' })).toEqual(['data[0].entity_type unknown_field']);
    expect(await one({ name: 'A', category: 'profile', dataMasking: 'full' })).toEqual([
      'data[0].dataMasking unknown_field',
    ]);
    expect(faults(await account.v5(path.update, { data: [] }))).toEqual(['data too_few_items']);
    const many = Array.from({ length: 101 }, () => ({ name: 'A', category: 'profile' }));
    expect(faults(await account.v5(path.update, { data: many }))).toEqual(['data too_many_items']);
  });

  test('one fault among a hundred items is named, and no item is applied', async () => {
    const account = await attributeAccount(service);
    const attributes = Array.from({ length: 99 }, (_, at) => ({ name: `A${at}`, data_type: 'text' }));
    await account.create(...attributes);
    const changes = attributes.map(({ name }) => ({ name, category: 'profile' }));
    const refused = await account.update(...changes, { name: 'NOT_THERE', category: 'profile' });
    expect(faults(refused)).toEqual(['data[99] not_found']);
    expect((await account.find('A0', 'A98')).map(({ category }) => category)).toEqual(['custom', 'custom']);
  });

  test('a data type can change if there are no values, or if every value can be kept', async () => {
    const account = await attributeAccount(service);
    await account.create(
      { name: 'N', data_type: 'number', default_value: 3 },
      { name: 'D', data_type: 'date' },
      { name: 'B', data_type: 'boolean' },
    );
    expect((await account.update({ name: 'D', data_type: 'boolean' }, { name: 'D', category: 'custom' })).status).toBe(
      400,
    );
    expect((await account.update({ name: 'D', data_type: 'boolean' })).status).toBe(200);
    expect((await account.update({ name: 'D', data_type: 'date' })).status).toBe(200);
    await account.contact('a@example.com', { N: 1.5e-7, D: '29-02-2024', B: true });
    const answer = await account.update({ name: 'N', data_type: 'date', default_value: null });
    expect(answer.body.errors[0]).toMatchObject({
      field: 'data[0].data_type',
      message: expect.stringContaining('have values'),
    });
    const widened = await account.update(
      { name: 'N', data_type: 'text' },
      { name: 'D', data_type: 'text' },
      { name: 'B', data_type: 'text' },
    );
    expect(widened.body.data).toMatchObject([{ data_type: 'text', default_value: '3' }, { data_type: 'text' }, {}]);
    expect(await account.values('N', 'D', 'B')).toEqual([['0.00000015', '2024-02-29', 'true']]);
    expect((await account.update({ name: 'D', data_type: 'long_text' })).status).toBe(200);
    expect((await account.update({ name: 'D', data_type: 'text' })).status).toBe(400);
  });

  test('if several types change, only those of attributes with values are refused', async () => {
    const account = await attributeAccount(service);
    const names = ['A', 'B', 'C', 'D'];
    await account.create(...names.map((name) => ({ name, data_type: 'number' })));
    await account.contact('a@example.com', { A: 1 });
    await account.contact('b@example.com', { C: 2, D: 3 });
    const [a, b, c, d] = names.map((name) => ({ name, data_type: name === 'D' ? 'text' : 'date' }));
    const refused = await account.update(a!, b!, c!, d!);
    expect(faults(refused)).toEqual(['data[0].data_type not_supported', 'data[2].data_type not_supported']);
    await account.contact('a@example.com', { A: null });
    expect((await account.update(a!, b!, d!)).status).toBe(200);
  });

  test('a change from date to text is refused if a segment has relative dates of the attribute', async () => {
    const account = await attributeAccount(service, { name: 'Relative' });
    await account.create({ name: 'RENEWS_ON', data_type: 'date' });
    const segmentOf = async (operation: string, value: string) =>
      account.operator('POST', '/segments', {
        name: `Renews ${value}`,
        filtering_criteria: [{ condition_details: [{ field: 'RENEWS_ON', operation, value }] }],
      });
    await segmentOf('equals', '2026-01-31');
    const relative = await segmentOf('equals', 'This Month');
    expect(relative.body.filtering_criteria[0].condition_details[0].value).toEqual(['this month']);
    const refused = await account.update({ name: 'RENEWS_ON', data_type: 'text' });
    expect(refused.body.errors.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringContaining(`segment ${relative.body.audience_id} (Renews This Month)`),
    ]);
    await account.operator('DELETE', `/segments/${relative.body.audience_id}`);
    expect((await account.update({ name: 'RENEWS_ON', data_type: 'text' })).status).toBe(200);
  });

  test('a change of type is refused if a segment, a mapping or the primary key does not allow the new type', async () => {
    const account = await attributeAccount(service, { name: 'Keyed', primary_key: 'CUSTOMER_ID' });
    await account.create({ name: 'AGE', data_type: 'number' }, { name: 'TOWN', data_type: 'text', mapping: 'CITY' });
    const segment = await account.operator('POST', '/segments', {
      name: 'Adults',
      filtering_criteria: [{ condition_details: [{ field: 'AGE', operation: 'greater_than', value: 17 }] }],
    });
    const messages = async (change: object) =>
      (await account.update(change)).body.errors.map(({ message }: { message: string }) => message);
    expect(await messages({ name: 'AGE', data_type: 'text' })).toEqual([
      expect.stringContaining(`segment ${segment.body.audience_id} (Adults)`),
    ]);
    expect(await messages({ name: 'CUSTOMER_ID', data_type: 'long_text' })).toEqual([
      expect.stringContaining('primary key'),
    ]);
    expect((await messages({ name: 'TOWN', data_type: 'long_text' })).join()).toContain(
      'mapping with attribute 5 (CITY)',
    );
    expect(await messages({ name: 'CUSTOMER_ID', mapping: 'CITY' })).toEqual([expect.stringContaining('primary key')]);
    // The check uses the result of the whole request, so the same request can remove the mapping.
    expect((await account.update({ name: 'TOWN', data_type: 'long_text', mapping: null })).status).toBe(200);
    await account.operator('PATCH', `/segments/${segment.body.audience_id}`, {
      filtering_criteria: [{ condition_details: [{ field: 'AGE', operation: 'equals', value: [17] }] }],
    });
    await account.contact('c-1', { AGE: 17 });
    expect((await account.update({ name: 'AGE', data_type: 'text' })).status).toBe(200);
    expect((await account.operator('GET', `/segments/${segment.body.audience_id}/count`)).body.count).toBe(1);
  });
});
