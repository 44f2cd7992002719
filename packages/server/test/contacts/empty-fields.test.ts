import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const service = await forFile(startTestService());
const account = service.first;
const list: number = await account.createList('News');
await account.createContacts([
  { identity: 'a@example.com', attributes: { CITY: 'Pune' }, audience_details: { audience_id: list } },
  { identity: 'b@example.com' },
]);

describe.each([[null], [''], ['  ']])('optional fields that are %j', (empty) => {
  test('empty optional fields count as absent in a contact search', async () => {
    const condition = { field: 'CITY', field_category: empty, operation: 'equals', value: 'Pune' };
    const { status, body } = await account.v5('/contact/search', {
      filtering_criteria_operator: empty,
      filtering_criteria: [{ condition_operator: empty, condition_details: [condition] }],
      get_count: empty,
      output: {
        get_count: empty,
        sorting: [{ field: 'created_at', direction: empty }],
        pagination: { page: empty, limit: empty, cursor: empty },
        fields: empty,
      },
    });
    expect([status, body.data?.length, body.count]).toEqual([200, 1, undefined]);
    expect(Object.keys(body.data[0])).toContain('contact_id');
  });

  test('an empty filter, output or unneeded value counts as absent', async () => {
    const all = await account.v5('/contact/search', { filtering_criteria: empty, output: empty });
    expect([all.status, all.body.data.length]).toEqual([200, 2]);
    const isNull = { field: 'CITY', operation: 'is_null', value: empty };
    const without = await account.v5('/contact/search', { filtering_criteria: [{ condition_details: isNull }] });
    expect([without.status, without.body.data.length]).toEqual([200, 1]);
  });

  test('an empty operator between two groups is refused', async () => {
    const group = { condition_details: [{ field: 'CITY', operation: 'equals', value: 'Pune' }] };
    const filter = { filtering_criteria_operator: empty, filtering_criteria: [group, group] };
    expect(await account.v5('/contact/search', filter)).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'required', field: 'filtering_criteria_operator' }] },
    });
  });

  test('empty optional fields count as absent in update and delete', async () => {
    const update = await account.apply('/contact/update', {
      data: {
        contact_type: empty,
        contacts: [
          {
            contact_id: empty,
            identity: 'b@example.com',
            audience_details: [{ audience_id: list, action: empty, audience_type: empty }],
          },
        ],
      },
    });
    expect(update.counts).toMatchObject({ updated: 1, warnings: 0 });
    const removed = { identity: 'b@example.com', audience_details: [{ audience_id: list, action: empty }] };
    const change = await account.apply('/contact/delete', { data: { contacts: [{ ...removed, contact_id: empty }] } });
    expect(change.counts).toMatchObject({ updated: 1, deleted: 0 });
  });

  test('empty identifiers count as absent if another one finds the contact', async () => {
    await account.createContacts([{ identity: 'c@example.com', mobile: '919812345678' }]);
    await account.updateContacts([{ identity: 'c@example.com', attributes: { CITY: 'Pune' } }]);
    const [found] = (
      await account.v5('/contact/search', {
        filtering_criteria: [{ condition_details: { field: 'IDENTITY', operation: 'equals', value: 'c@example.com' } }],
      })
    ).body.data;
    const update = await account.updateContacts([
      { contact_id: found.contact_id, identity: empty, attributes: { CITY: 'Goa' } },
    ]);
    expect(update.counts).toMatchObject({ updated: 1, failed: 0 });
    const nobody = { contact_id: empty, identity: empty, email: empty, mobile: empty };
    expect(await account.v5('/contact/delete', { data: { contacts: [nobody] } })).toMatchObject({ status: 400 });
    const removed = { ...nobody, mobile: '919812345678' };
    const change = await account.apply('/contact/delete', { data: { contacts: [removed] } });
    expect(change.counts).toMatchObject({ deleted: 1 });
  });

  test('a delete with empty audience_details is refused and deletes no contact', async () => {
    const contact = { identity: 'b@example.com', audience_details: empty };
    const answer = await account.v5('/contact/delete', { data: { contacts: [contact] } });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ code: 'invalid_type' }] } });
  });

  test('empty optional fields count as absent in an audience export', async () => {
    const { status, body } = await service.call('POST', '/v4/audience/export', {
      headers: { 'api-key': account.apiKey },
      body: {
        audience_details: { audience_type: 'list', audience_id: list, attributes_needed: empty, blocklist_type: empty },
        file_type: empty,
        compression: empty,
        notify_email: empty,
        callback_details: { method: empty, endpoint: empty, header: empty, body: empty },
      },
    });
    expect([status, body.errors ?? body.data?.errors]).toEqual([200, undefined]);
  });

  test('empty optional fields count as absent in the operations on attributes', async () => {
    const name = `EMPTY_${String(empty).length}`;
    const created = await account.v5('/client/attribute/create', {
      data: [{ name, data_type: 'text', category: empty, entity_type: empty, data_masking: empty, mapping: empty }],
    });
    expect(created.body.errors).toBeUndefined();
    await service.settled();
    const updated = await account.v5('/client/attribute/update', {
      data: [{ id: empty, name, category: empty, data_type: empty, data_masking: empty, default_value: 'x' }],
    });
    expect(updated).toMatchObject({ status: 200, body: { data: [{ category: 'custom', data_masking: 'none' }] } });
    const condition = { field: 'name', field_category: empty, operation: 'equals', value: name };
    const found = await account.v5('/client/attribute/search', {
      filtering_criteria_operator: empty,
      filtering_criteria: [{ condition_operator: empty, condition_details: condition }],
      output: { sorting: [{ field: 'name', direction: empty }], pagination: { page: empty }, fields: empty },
    });
    expect(found).toMatchObject({ status: 200, body: { data: [{ name }] } });
  });
});
