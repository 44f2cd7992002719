import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type Answer } from '../support/service.ts';

// A key is refused and named if ignoring it would do more than the caller meant.
const service = await forFile(startTestService());
const account = service.first;
const list: number = await account.createList('News');
await account.createContacts(
  ['kept@example.com', 'also@example.com'].map((identity) => ({
    identity,
    audience_details: { audience_id: list, action: 'add' },
  })),
);

const kept = { identity: 'kept@example.com' };
const validFilter = [{ condition_details: [{ field: 'EMAIL', operation: 'equals', value: ['kept@example.com'] }] }];
const faultsOf = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map(({ code, field }: { code: string; field: string }) => `${code} ${field}`),
];

describe('keys that would limit a delete', () => {
  const details = { audience_id: 1 };
  test.each([
    ['audience_detail', [details]],
    ['Audience_Detials', [details]],
    ['audiance_details', [details]],
    [' audience_details ', [details]],
    ['audience_id', 1],
    ['list_id', 1],
    ['lists', [1]],
    ['segment_id', 1],
    ['filtering_criteria', validFilter],
    ['condition', {}],
    ['attributes', { CITY: null }],
    ['subscriptions', { email: false }],
    ['unsubscribe', true],
    ['action', 'remove'],
  ])('the key %s in a contact to delete is refused', async (key, value) => {
    const answer = await account.v5('/contact/delete', { data: { contacts: [{ ...kept, [key]: value }] } });
    expect(faultsOf(answer)).toEqual([400, `unknown_field data.contacts[0].${key}`]);
    expect(answer.body.errors[0].message).toContain('audience_details');
  });

  test.each([['comment'], ['reason'], ['Contact_type'], ['x']])(
    'the unknown key %s is refused at every level of a delete',
    async (key) => {
      const refused = async (body: object, place: string) =>
        expect(faultsOf(await account.v5('/contact/delete', body))).toEqual([400, `unknown_field ${place}`]);
      await refused({ data: { contacts: [kept] }, [key]: 1 }, key);
      await refused({ data: { contacts: [kept], [key]: 1 } }, `data.${key}`);
      await refused({ data: { contacts: [{ ...kept, [key]: 1 }] } }, `data.contacts[0].${key}`);
      const listed = { ...kept, audience_details: { ...details, [key]: 1 } };
      await refused({ data: { contacts: [listed] } }, `data.contacts[0].audience_details[0].${key}`);
    },
  );

  test.each([['audience_id'], ['Segment'], ['filter']])('the key %s next to the contacts is refused', async (key) => {
    expect(faultsOf(await account.v5('/contact/delete', { data: { contacts: [kept], [key]: 1 } }))).toEqual([
      400,
      `unknown_field data.${key}`,
    ]);
    expect(faultsOf(await account.v5('/contact/delete', { data: { contacts: [kept] }, [key]: 1 }))).toEqual([
      400,
      `unknown_field ${key}`,
    ]);
  });

  test('another action than remove is refused in a delete, and so are two spellings of the lists', async () => {
    const add = { ...kept, audience_details: [{ ...details, action: 'add' }] };
    expect(faultsOf(await account.v5('/contact/delete', { data: { contacts: [add] } }))).toEqual([
      400,
      'unknown_value data.contacts[0].audience_details[0].action',
    ]);
    const twice = { ...kept, audience_details: [details], Audience_Details: [{ audience_id: 2 }] };
    expect(faultsOf(await account.v5('/contact/delete', { data: { contacts: [twice] } }))).toEqual([
      400,
      'duplicate data.contacts[0].audience_details',
    ]);
  });

  test('the refused requests delete no contact, and notify_callback is ignored everywhere', async () => {
    await service.settled();
    expect(await account.rows({})).toHaveLength(2);
    const request = await account.apply('/contact/delete', {
      notify_callback: 'https://example.com/',
      data: {
        Notify_Callback: true,
        contacts: [
          { identity: 'also@example.com', notify_callback: null },
          { ...kept, audience_details: { audience_id: list, action: 'REMOVE' } },
        ],
      },
    });
    expect(request.counts).toMatchObject({ deleted: 1, updated: 1 });
  });
});

describe('keys that would change the effect of a create or an update', () => {
  const send = (path: string, item: object) =>
    account.v5(path, {
      data: { ...(path === '/contact/create' ? { contact_type: 'identified' } : {}), contacts: [{ ...kept, ...item }] },
    });

  test.each([['/contact/create'], ['/contact/update']])(
    '%s refuses a contact_type in a single contact',
    async (path) => {
      const answer = await send(path, { Contact_Type: 'anonymous' });
      expect(faultsOf(answer)).toEqual([400, 'not_allowed data.contacts[0].Contact_Type']);
      expect(answer.body.errors[0].message).toContain('data.contact_type');
    },
  );

  test.each([['/contact/create'], ['/contact/update']])('%s refuses an unknown channel', async (path) => {
    const answer = await send(path, { subscriptions: { email: true, push: false } });
    expect(faultsOf(answer)).toEqual([400, 'unknown_field data.contacts[0].subscriptions.push']);
    expect(answer.body.errors[0].message).toContain('email, sms, whatsapp');
  });

  test('a create refuses to remove a contact from a list', async () => {
    const answer = await send('/contact/create', { audience_details: { audience_id: list, action: 'remove' } });
    expect(faultsOf(answer)).toEqual([400, 'unknown_value data.contacts[0].audience_details[0].action']);
    expect(answer.body.errors[0].message).toContain('contact update');
  });

  test.each([['operation'], ['remove'], ['list_id'], ['is_deleted']])(
    'the key %s next to a list is refused',
    async (key) => {
      for (const path of ['/contact/create', '/contact/update']) {
        const answer = await send(path, { audience_details: { audience_id: list, [key]: 1 } });
        expect(faultsOf(answer)).toEqual([400, `unknown_field data.contacts[0].audience_details[0].${key}`]);
      }
    },
  );

  test('a create ignores other unknown keys, and an update refuses them', async () => {
    const item = { unsubscribe: false, audience_details: { audience_id: list, audience_name: 'News' } };
    expect((await send('/contact/create', item)).status).toBe(200);
    expect(faultsOf(await send('/contact/update', item))).toEqual([
      400,
      'unknown_field data.contacts[0].unsubscribe',
      'unknown_field data.contacts[0].audience_details[0].audience_name',
    ]);
  });

  test.each([
    ['subscription', { email: false }, 'subscription is not a field here. Did you mean subscriptions?'],
    ['e-mail', 'x@example.com', 'e-mail is not a field here. Did you mean email?'],
    ['contactId', 1, 'contactId is not a field here. Did you mean contact_id?'],
    ['audience_id', 1, 'audience_id belongs inside audience_details[], not here.'],
    [
      'CITY',
      'Pune',
      'CITY is not a field here. The fields are contact_id, identity, email, mobile, attributes, audience_details, subscriptions.',
    ],
  ])('an update with the unknown key %s in a contact suggests the right key', async (key, value, message) => {
    const answer = await send('/contact/update', { [key]: value });
    expect(faultsOf(answer)).toEqual([400, `unknown_field data.contacts[0].${key}`]);
    expect(answer.body.errors[0].message).toBe(message);
  });

  test('an update refuses unknown keys next to its contacts', async () => {
    const answer = await account.v5('/contact/update', { contacts: [kept], data: { contacts: [kept], upsert: true } });
    expect(faultsOf(answer)).toEqual([400, 'unknown_field contacts', 'unknown_field data.upsert']);
    expect(answer.body.errors[0].message).toBe('contacts belongs inside data, not here.');
    const old = { notify_callback: 'x', data: { notify_callback: 'x', contacts: [{ ...kept, notify_callback: 'x' }] } };
    expect((await account.v5('/contact/update', old)).status).toBe(200);
  });
});

describe('unknown keys in a search', () => {
  const search = (body: unknown) => account.v5('/contact/search', body);
  const [group] = validFilter;
  const [condition] = group!.condition_details;

  test.each([
    ['data', { filtering_criteria: validFilter }],
    ['where', { email: 'x' }],
    ['query', 'x'],
    ['search', 'x'],
    ['operator', 'or'],
    ['operation', 'equals'],
    ['field', 'CITY'],
    ['value', ['Pune']],
    ['contact_id', [1]],
    ['contacts', [{ identity: 'x' }]],
    ['contact_type', 'identified'],
    ['identity', 'x'],
    ['email', 'x'],
    ['Mobile', 'x'],
    ['phone_number', 'x'],
    ['condition_details', [condition]],
    ['filters', validFilter],
    ['list_id', 1],
    ['audience_id', 1],
    ['attributes', { CITY: 'Pune' }],
    ['not', validFilter],
    ['exclude', true],
  ])('the key %s is refused at the top of a search', async (key, value) => {
    expect(faultsOf(await search({ [key]: value }))).toEqual([400, `unknown_field ${key}`]);
    const within = { audience_type: 'list', audience_id: list, [key === 'audience_id' ? 'audience_ids' : key]: value };
    const [status, fault] = faultsOf(await account.v5('/contact/audience/search', within));
    expect([status, fault]).toEqual([400, expect.stringMatching(/^unknown_field /)]);
  });

  test.each([['filtering_criteria'], ['condition_details'], ['where'], ['email'], ['operator'], ['list_id']])(
    'the key %s is refused in the output',
    async (key) => {
      expect(faultsOf(await search({ output: { [key]: validFilter } }))).toEqual([400, `unknown_field output.${key}`]);
    },
  );

  test.each([['conditions'], ['operator'], ['field'], ['value'], ['exclude'], ['not'], ['filter'], ['segment_id']])(
    'the key %s is refused in a group',
    async (key) => {
      expect(faultsOf(await search({ filtering_criteria: [{ ...group, [key]: true }] }))).toEqual([
        400,
        `unknown_field filtering_criteria[0].${key}`,
      ]);
    },
  );

  test.each([['exclude'], ['operator'], ['condition_details'], ['not'], ['values'], ['case_sensitive'], ['id']])(
    'the unknown key %s is refused in a condition',
    async (key) => {
      const answer = await search({ filtering_criteria: [{ condition_details: [{ ...condition, [key]: true }] }] });
      expect(faultsOf(answer)).toEqual([400, `unknown_field filtering_criteria[0].condition_details[0].${key}`]);
      expect(answer.body.errors[0].message).toMatch(
        /Did you mean \w+\?|field, operation, value, field_category|It belongs/,
      );
    },
  );

  test('a second filter in another spelling is refused', async () => {
    expect(faultsOf(await search({ Filtering_Criteria: validFilter, filtering_criteria: [] }))).toEqual([
      400,
      'duplicate filtering_criteria',
    ]);
    const twice = { ...condition, Value: ['x'] };
    expect(faultsOf(await search({ filtering_criteria: [{ condition_details: [twice] }] }))).toEqual([
      400,
      'duplicate filtering_criteria[0].condition_details[0].value',
    ]);
  });

  test.each([
    [{ limit: 5 }, 'limit', 'limit belongs inside output.pagination, not here.'],
    [{ sorting: [] }, 'sorting', 'sorting belongs inside output, not here.'],
    [
      { filters: [] },
      'filters',
      'filters is not a field here. The fields are filtering_criteria_operator, filtering_criteria, output, get_count.',
    ],
    [{ output: { format: 'json' } }, 'output.format', undefined],
    [{ output: { field: ['CITY'] } }, 'output.field', undefined],
    [{ output: { pagination: { size: 5 } } }, 'output.pagination.size', undefined],
    [
      { output: { pagination: { limits: 5 } } },
      'output.pagination.limits',
      'limits is not a field here. Did you mean limit?',
    ],
    [
      { output: { sorting: [{ field: 'CITY', order: 'desc' }] } },
      'output.sorting[0].order',
      'order is not a field here. Did you mean direction?',
    ],
    [{ filtering_criteria: [{ ...group, name: 'By address' }] }, 'filtering_criteria[0].name', undefined],
  ])('the search %j is refused', async (body, place, message) => {
    const answer = await search(body);
    expect(faultsOf(answer)).toEqual([400, `unknown_field ${place}`]);
    if (message !== undefined) expect(answer.body.errors[0].message).toBe(message);
  });

  test('notify_callback is ignored, and two spellings with the same value are accepted', async () => {
    const body = {
      notify_callback: 'https://example.com/',
      filtering_criteria: [{ ...group, notify_callback: 7 }],
      get_count: true,
      get_Count: true,
      output: { notify_callback: false, get_count: 'true' },
    };
    expect((await search(body)).body).toMatchObject({ code: 200, count: 1 });
  });

  test('a segment with an unknown key in its filter is refused', async () => {
    const filter = [{ condition_details: [{ ...condition, exclude: true }] }];
    const answer = await account.operator('POST', '/segments', { name: 'All but one', filtering_criteria: filter });
    expect(faultsOf(answer)).toEqual([400, 'unknown_field filtering_criteria[0].condition_details[0].exclude']);
  });
});
