import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { attributeAccount, faults, path } from './attribute-account.ts';

const service = await forFile(startTestService());

describe('deleting attributes', () => {
  test('a delete hides the values at once, and frees the name for another type', async () => {
    const account = await attributeAccount(service);
    await account.create(
      { name: 'TIER', data_type: 'text', default_value: 'bronze' },
      { name: 'KEPT', data_type: 'text' },
    );
    await account.contact('a@example.com', { TIER: 'gold', KEPT: 'yes' });
    const request = await account.apply(path.delete, { data: ['tier'] });
    expect(request).toMatchObject({ operation: 'attribute.delete', counts: { deleted: 1 }, failures: [] });
    expect((await account.v5('/contact/search', { output: { fields: ['TIER'] } })).status).toBe(400);
    await account.create({ name: 'TIER', data_type: 'number' });
    expect(await account.values('TIER', 'KEPT')).toEqual([[null, 'yes']]);
    await account.contact('b@example.com', { TIER: 3 });
    expect(await account.values('TIER')).toEqual([[null], [3]]);
  });

  test('a delete refuses unknown, system and repeated attributes, and names each use of an attribute', async () => {
    const account = await attributeAccount(service, { name: 'Keyed', primary_key: 'CUSTOMER_ID' });
    await account.create(
      { name: 'TOWN', data_type: 'text', mapping: 'CITY' },
      { name: 'SEG', data_type: 'text' },
      { name: 'FREE', data_type: 'text' },
    );
    const segment = await account.operator('POST', '/segments', {
      name: 'Nested',
      filtering_criteria_operator: 'or',
      filtering_criteria: [
        { condition_details: [{ field: 'contact_id', operation: 'equals', value: 1 }] },
        {
          condition_operator: 'or',
          condition_details: [
            { field: 'CITY', operation: 'equals', value: 'x' },
            { field: 'SEG', operation: 'is_null' },
          ],
        },
      ],
    });
    const { audience_id: id } = segment.body;
    const answer = await account.v5(path.delete, {
      data: ['NOT_THERE', { name: 'city' }, { id: 99 }, 'CUSTOMER_ID', { id: 12 }, 'SEG', 'FREE', { name: 'free' }],
    });
    expect(faults(answer)).toEqual([
      'data[0] not_found',
      'data[2] not_found',
      'data[7] duplicate',
      'data[1] not_allowed',
      'data[3] in_use',
      'data[4] in_use',
      'data[5] in_use',
    ]);
    const messages = answer.body.errors.map(({ message }: { message: string }) => message).join('\n');
    expect(messages).toContain(`SEG is in use by segment ${id} (Nested)`);
    expect(messages).toContain(`TOWN is in use by segment ${id} (Nested), the mapping with attribute 5 (CITY)`);
    expect(messages).toContain('CUSTOMER_ID is in use by the primary key of account');
    expect(await account.find('FREE')).toHaveLength(1);
    for (const data of [[null], [{}], [{ id: 1, name: 'X' }], [true], [1.5], 'x'.repeat(300)]) {
      expect((await account.v5(path.delete, { data })).status).toBe(400);
    }
    expect(faults(await account.v5(path.delete, { data: [] }))).toEqual(['data too_few_items']);
    expect(faults(await account.v5(path.delete, { data: Array(101).fill('FREE') }))).toEqual(['data too_many_items']);
  });

  test('a delete is checked again when it is applied', async () => {
    await using waiting = await startTestService({ worker: false });
    const { first } = waiting;
    await first.v5(path.create, {
      data: [
        { name: 'LATE', data_type: 'text' },
        { name: 'GONE', data_type: 'text' },
      ],
    });
    const worker = waiting.startWorker();
    await waiting.settled();
    await worker[Symbol.asyncDispose]();
    const answer = await first.v5(path.delete, { data: ['LATE', 'GONE'] });
    expect(answer.status).toBe(200);
    await first.operator('POST', '/segments', {
      name: 'In between',
      filtering_criteria: [{ condition_details: [{ field: 'LATE', operation: 'is_null' }] }],
    });
    await using second = waiting.startWorker();
    void second;
    await waiting.settled();
    const log = await first.operator('GET', `/requests/${answer.body.request_id}`);
    expect(log.body).toMatchObject({
      counts: { deleted: 1, failed: 1 },
      failures: [{ index: 0, code: 'attribute_in_use' }],
    });
  });

  test('a segment never uses a deleted attribute, even if both requests arrive at the same moment', async () => {
    const account = await attributeAccount(service);
    for (let round = 0; round < 20; round++) {
      const name = `RACE_${round}`;
      await account.create({ name, data_type: 'text' });
      const [deleted, made] = await Promise.all([
        account.v5(path.delete, { data: [name] }),
        account.operator('POST', '/segments', {
          name,
          filtering_criteria: [{ condition_details: [{ field: name, operation: 'is_not_null' }] }],
        }),
      ]);
      await service.settled();
      const [still] = await account.find(name);
      // Depending on the order, either the segment is refused or the attribute is kept.
      if (made.status === 201) {
        expect(still).toBeDefined();
        expect((await account.operator('GET', `/segments/${made.body.audience_id}/count`)).status).toBe(200);
      } else {
        expect(made.status).toBe(400);
        expect(deleted.status).toBe(200);
        expect(still).toBeUndefined();
      }
    }
  });
});

describe('the usage of attributes', () => {
  test('the usage counts the contacts with a value, and lists every use', async () => {
    const account = await attributeAccount(service, { name: 'Keyed', primary_key: 'CUSTOMER_ID' });
    await account.create({ name: 'TOWN', data_type: 'text', mapping: 'CITY' }, { name: 'FREE', data_type: 'number' });
    await account.contact('c-1', { TOWN: 'Pune', FREE: 0 });
    await account.contact('c-2', { TOWN: '' });
    await account.apply('/contact/create', {
      data: { contact_type: 'anonymous', contacts: [{ mobile: '919800000001' }] },
    });
    const segment = await account.operator('POST', '/segments', {
      name: 'In Pune',
      filtering_criteria: [{ condition_details: [{ field: 'TOWN', operation: 'equals', value: 'Pune' }] }],
    });
    const answer = await account.v5('/client/attribute/usage', {
      data: ['town', 13, { name: 'CUSTOMER_ID' }, { id: '5' }],
    });
    expect(answer.status).toBe(200);
    const segmentUse = { feature: 'segment', id: segment.body.audience_id, name: 'In Pune' };
    expect(answer.body.data).toEqual([
      {
        name: 'TOWN',
        in_use: true,
        contacts_with_value: 2,
        usage: [segmentUse, { feature: 'mapping', id: 5, name: 'CITY' }],
      },
      { name: 'FREE', in_use: false, contacts_with_value: 1, usage: [] },
      {
        name: 'CUSTOMER_ID',
        in_use: true,
        contacts_with_value: 2,
        usage: [{ feature: 'primary_key', id: account.accountId, name: 'Keyed' }],
      },
      { name: 'CITY', in_use: true, contacts_with_value: 0, usage: [{ feature: 'mapping', id: 12, name: 'TOWN' }] },
    ]);
    const refusal = async (data: unknown) => faults(await account.v5('/client/attribute/usage', { data }));
    expect(await refusal(['NO', 'TOWN', 'TOWN'])).toEqual(['data[0] not_found', 'data[2] duplicate']);
    expect(await refusal([])).toEqual(['data too_few_items']);
    expect(await refusal(Array(101).fill('TOWN'))).toEqual(['data too_many_items']);
  });
});

describe('an export that has not ended', () => {
  test('a running export counts as a use of the attributes that it names, so they cannot be deleted', async () => {
    const account = await attributeAccount(service);
    await account.create({ name: 'TIER', data_type: 'text' });
    const list = await account.operator('POST', '/lists', { name: 'Some' });
    const audience = {
      audience_type: 'list',
      audience_id: list.body.audience_id,
      attributes_needed: ['EMAIL', 'tier'],
    };
    // No jobs run in this test, so the export does not start.
    const request = await service.call('POST', '/v4/audience/export', {
      body: { audience_details: audience, callback_details: {} },
      headers: { 'api-key': account.apiKey },
    });
    const { request_id: id } = request.body.data;
    const use = { feature: 'export', id, name: `list ${list.body.audience_id}` };
    const usage = await account.v5('/client/attribute/usage', { data: ['TIER'] });
    expect(usage.body.data).toEqual([{ name: 'TIER', in_use: true, contacts_with_value: 0, usage: [use] }]);
    expect(faults(await account.v5(path.delete, { data: ['TIER'] }))).toEqual(['data[0] in_use']);
    expect((await account.update({ name: 'TIER', data_type: 'long_text' })).body.errors[0].message).toContain(
      `export ${id}`,
    );
    expect((await account.update({ name: 'TIER', new_name: 'LEVEL' })).status).toBe(200);
    expect((await account.operator('POST', `/exports/${id}/cancel`)).status).toBe(200);
    expect((await account.v5(path.delete, { data: ['LEVEL'] })).status).toBe(200);
  });
});
