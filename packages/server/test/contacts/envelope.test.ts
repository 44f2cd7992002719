import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const service = await forFile(startTestService());
const account = service.first;

const identified = (contact: unknown) => ({ data: { contact_type: 'identified', contacts: [contact] } });
const long = (length: number) => 'x'.repeat(length);

/** One faulty body: title, path, body, and the code and field of each reported fault. */
type Faulty = [title: string, path: string, body: unknown, ...errors: [code: string, field: string][]];
const faulty: Faulty[] = [
  ['no data', '/contact/create', {}, ['required', 'data']],
  ['an array instead of an object', '/contact/create', [], ['invalid_type', '']],
  ['a string instead of an object', '/contact/create', '"x"', ['invalid_type', '']],
  ['null', '/contact/create', 'null', ['invalid_type', '']],
  ['data of the wrong type', '/contact/create', { data: 1 }, ['invalid_type', 'data']],
  [
    'no contact type',
    '/contact/create',
    { data: { contacts: [{ identity: 'a@example.com' }] } },
    ['required', 'data.contact_type'],
  ],
  [
    'a contact type that create does not accept',
    '/contact/create',
    { data: { contact_type: 'confirmed', contacts: [{ identity: 'a@example.com' }] } },
    ['unknown_value', 'data.contact_type'],
  ],
  ['no contacts', '/contact/create', { data: { contact_type: 'identified' } }, ['required', 'data.contacts']],
  [
    'empty contacts',
    '/contact/create',
    { data: { contact_type: 'anonymous', contacts: [] } },
    ['too_few_items', 'data.contacts'],
  ],
  [
    '1001 contacts',
    '/contact/create',
    { data: { contact_type: 'identified', contacts: Array.from({ length: 1001 }, (_, n) => ({ identity: `${n}` })) } },
    ['too_many_items', 'data.contacts'],
  ],
  ['a contact that is not an object', '/contact/create', identified('x'), ['invalid_type', 'data.contacts[0]']],
  ['no identity', '/contact/create', identified({ email: 'a@example.com' }), ['required', 'data.contacts[0].identity']],
  ['a null identity', '/contact/create', identified({ identity: null }), ['required', 'data.contacts[0].identity']],
  ['a blank identity', '/contact/create', identified({ identity: '  ' }), ['required', 'data.contacts[0].identity']],
  [
    'an identity of 256 characters',
    '/contact/create',
    identified({ identity: long(256) }),
    ['too_long', 'data.contacts[0].identity'],
  ],
  [
    'a boolean identity',
    '/contact/create',
    identified({ identity: true }),
    ['invalid_type', 'data.contacts[0].identity'],
  ],
  [
    'a number that a double cannot hold',
    '/contact/create',
    identified({ identity: 2 ** 60 }),
    ['out_of_range', 'data.contacts[0].identity'],
  ],
  [
    'a reserved identity',
    '/contact/create',
    identified({ identity: 'anonymous/1' }),
    ['invalid_format', 'data.contacts[0].identity'],
  ],
  [
    'U+0000 in an identity',
    '/contact/create',
    identified({ identity: 'a\0b' }),
    ['invalid_character', 'data.contacts[0].identity'],
  ],
  [
    'half of a surrogate pair in an identity',
    '/contact/create',
    String.raw`{"data":{"contact_type":"identified","contacts":[{"identity":"a\ud800"}]}}`,
    ['invalid_character', 'data.contacts[0].identity'],
  ],
  [
    'an email without @',
    '/contact/create',
    identified({ identity: 'a@example.com', email: 'nobody' }),
    ['invalid_format', 'data.contacts[0].email'],
  ],
  [
    'a blank email',
    '/contact/create',
    identified({ identity: 'a@example.com', email: '' }),
    ['required', 'data.contacts[0].email'],
  ],
  [
    'an email of 255 characters',
    '/contact/create',
    identified({ identity: 'a@example.com', email: `${long(64)}@${`${long(60)}.`.repeat(3)}${long(7)}` }),
    ['invalid_format', 'data.contacts[0].email'],
  ],
  [
    'a number as email',
    '/contact/create',
    identified({ identity: 'a@example.com', email: 5 }),
    ['invalid_type', 'data.contacts[0].email'],
  ],
  [
    'a mobile of 5 digits',
    '/contact/create',
    identified({ identity: 'a@example.com', mobile: '12345' }),
    ['invalid_format', 'data.contacts[0].mobile'],
  ],
  [
    'a mobile of 16 digits',
    '/contact/create',
    identified({ identity: 'a@example.com', mobile: '1234567890123456' }),
    ['invalid_format', 'data.contacts[0].mobile'],
  ],
  [
    'letters in a mobile',
    '/contact/create',
    identified({ identity: 'a@example.com', mobile: '98123x45678' }),
    ['invalid_format', 'data.contacts[0].mobile'],
  ],
  [
    'an email inside attributes',
    '/contact/create',
    identified({ identity: 'a@example.com', attributes: { Email: 'a@example.com' } }),
    ['not_allowed', 'data.contacts[0].attributes.Email'],
  ],
  [
    'a mobile inside attributes',
    '/contact/create',
    identified({ identity: 'a@example.com', attributes: { MOBILE: 1 } }),
    ['not_allowed', 'data.contacts[0].attributes.MOBILE'],
  ],
  [
    'attributes that are an array',
    '/contact/create',
    identified({ identity: 'a@example.com', attributes: ['x'] }),
    ['invalid_type', 'data.contacts[0].attributes'],
  ],
  [
    'an attribute that is an object',
    '/contact/create',
    identified({ identity: 'a@example.com', attributes: { CITY: {} } }),
    ['invalid_type', 'data.contacts[0].attributes.CITY'],
  ],
  [
    'U+0000 in a value',
    '/contact/create',
    identified({ identity: 'a@example.com', attributes: { CITY: '\0' } }),
    ['invalid_character', 'data.contacts[0].attributes.CITY'],
  ],
  [
    'a number beyond double precision',
    '/contact/create',
    '{"data":{"contact_type":"identified","contacts":[{"identity":"a@example.com","attributes":{"CITY":1e999}}]}}',
    ['out_of_range', 'data.contacts[0].attributes.CITY'],
  ],
  [
    '501 attributes',
    '/contact/create',
    identified({
      identity: 'a@example.com',
      attributes: Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`A${n}`, n])),
    }),
    ['too_many_items', 'data.contacts[0].attributes'],
  ],
  [
    'a list id that is not an integer',
    '/contact/create',
    identified({ identity: 'a@example.com', audience_details: [{ audience_id: ['x'] }] }),
    ['invalid_type', 'data.contacts[0].audience_details[0].audience_id[0]'],
  ],
  [
    'no list id',
    '/contact/create',
    identified({ identity: 'a@example.com', audience_details: [{ audience_type: 'list' }] }),
    ['required', 'data.contacts[0].audience_details[0].audience_id'],
  ],
  [
    'a segment to join',
    '/contact/create',
    identified({ identity: 'a@example.com', audience_details: [{ audience_id: 1, audience_type: 'segment' }] }),
    ['unknown_value', 'data.contacts[0].audience_details[0].audience_type'],
  ],
  [
    'several faults at once',
    '/contact/create',
    { data: { contact_type: 'x', contacts: [{ identity: 'a@example.com' }, { email: 'b', mobile: 'c' }] } },
    ['unknown_value', 'data.contact_type'],
    ['invalid_format', 'data.contacts[1].email'],
    ['invalid_format', 'data.contacts[1].mobile'],
  ],
  [
    'missing identities and other faults',
    '/contact/create',
    {
      data: { contact_type: 'identified', contacts: [{}, { identity: 'a@b.co', mobile: '1' }, { identity: null }] },
    },
    ['required', 'data.contacts[0].identity'],
    ['invalid_format', 'data.contacts[1].mobile'],
    ['required', 'data.contacts[2].identity'],
  ],
  [
    'a negative number as mobile',
    '/contact/create',
    identified({ identity: 'a@example.com', mobile: -919_876_543 }),
    ['invalid_format', 'data.contacts[0].mobile'],
  ],
  [
    'an update without identifier',
    '/contact/update',
    { data: { contacts: [{ attributes: { CITY: 'x' } }, { email: null, mobile: null }] } },
    ['required', 'data.contacts[0]'],
    ['required', 'data.contacts[1]'],
  ],
  [
    'an update to an unknown type',
    '/contact/update',
    { data: { contact_type: 'vip', contacts: [{ identity: 'a@example.com' }] } },
    ['unknown_value', 'data.contact_type'],
  ],
  [
    'an unknown action',
    '/contact/update',
    { data: { contacts: [{ identity: 'a@example.com', audience_details: [{ audience_id: 1, action: 'toggle' }] }] } },
    ['unknown_value', 'data.contacts[0].audience_details[0].action'],
  ],
  [
    'a subscription that is not a boolean',
    '/contact/update',
    { data: { contacts: [{ identity: 'a@example.com', subscriptions: { email: 'maybe' } }] } },
    ['invalid_type', 'data.contacts[0].subscriptions.email'],
  ],
  [
    'a contact_id of 0',
    '/contact/update',
    { data: { contacts: [{ contact_id: 0 }] } },
    ['out_of_range', 'data.contacts[0].contact_id'],
  ],
  [
    'a contact_id that is text',
    '/contact/update',
    { data: { contacts: [{ contact_id: 'x' }] } },
    ['invalid_type', 'data.contacts[0].contact_id'],
  ],
  ['a delete without identifier', '/contact/delete', { data: { contacts: [{}] } }, ['required', 'data.contacts[0]']],
  [
    'a delete by filter',
    '/contact/delete',
    { data: { contacts: [{ identity: 'a@example.com' }], filtering_criteria: [] } },
    ['unknown_field', 'data.filtering_criteria'],
  ],
  [
    'a delete with a list next to the contacts',
    '/contact/delete',
    { data: { contacts: [{ identity: 'a@example.com' }], audience_details: [{ audience_id: 1 }] } },
    ['unknown_field', 'data.audience_details'],
  ],
  [
    'a delete from no list',
    '/contact/delete',
    { data: { contacts: [{ identity: 'a@example.com', audience_details: [] }] } },
    ['too_few_items', 'data.contacts[0].audience_details'],
  ],
  [
    'a delete from null lists',
    '/contact/delete',
    { data: { contacts: [{ identity: 'a@example.com', audience_details: null }] } },
    ['invalid_type', 'data.contacts[0].audience_details'],
  ],
];

describe('a faulty request body', () => {
  test.each(faulty)(
    'a body is refused with 400, and each fault names its field: %s (%s)',
    async (...[_title, path, body, ...errors]: Faulty) => {
      const answer = await account.v5(path, body);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        code: 400,
        status: 'error',
        description: expect.any(String),
        errors: errors.map(([code, field]) => ({ code, field, message: expect.any(String) })),
      });
      const { description } = answer.body;
      const [first] = answer.body.errors;
      expect(description.startsWith(first.field === '' ? 'The request' : first.field)).toBe(true);
      expect(description).toContain(first.message);
      expect(description.includes(' more fault')).toBe(errors.length > 1);
    },
  );

  test('only the first 50 faults are reported', async () => {
    const contacts = Array.from({ length: 200 }, () => ({ mobile: 'x' }));
    const answer = await account.v5('/contact/create', { data: { contact_type: 'anonymous', contacts } });
    expect(answer.body.errors).toHaveLength(50);
    expect(answer.body.errors[49].field).toBe('data.contacts[49].mobile');
  });

  test('nothing of a refused request is stored', async () => {
    await service.settled();
    expect(await account.rows({})).toEqual([]);
    expect((await account.operator('GET', '/requests')).body.data).toEqual([]);
  });
});

describe('the tolerant reader', () => {
  test('the reader accepts any letter case, single values for arrays, ids as text, unknown keys, and null for optional fields', async () => {
    const request = await account.apply('/contact/create', {
      DATA: {
        Contact_Type: 'IDENTIFIED',
        notify_callback: 'https://example.com/',
        CONTACTS: {
          Identity: 'tolerant@example.com',
          Attributes: { first_name: 'T' },
          audience_DETAILS: { Audience_Id: '1', Audience_Type: 'List' },
          unknown: { deep: [1] },
          mobile: null,
        },
      },
    });
    expect(request.counts).toMatchObject({ created: 1, warnings: 0 });
    const answer = await account.v5('/contact/search', {
      Filtering_Criteria: { Condition_Details: { Field: 'List_ID', Operation: 'EQUALS', Value: '1' } },
      get_Count: 'true',
      Output: { Fields: ['first_Name', 'email'], sorting: null, pagination: { Page: '1', limit: '5' } },
    });
    expect(answer.body).toMatchObject({ count: 1, data: [{ first_Name: 'T', email: 'tolerant@example.com' }] });
  });

  test('a field in the spelling of the contract wins over another letter case', async () => {
    const request = await account.createContacts([{ IDENTITY: 'other@example.com', identity: 'spelled@example.com' }]);
    expect(request.counts).toMatchObject({ created: 1 });
    const rows = await account.rows({ output: { fields: ['EMAIL'] } });
    expect(rows).toContainEqual({ EMAIL: 'spelled@example.com' });
    expect(rows).not.toContainEqual({ EMAIL: 'other@example.com' });
  });
});

describe('the HTTP protocol', () => {
  const body = identified({ identity: 'p@example.com' });
  const json = { 'content-type': 'application/json' };

  test.each([['/v5/contact/create'], ['/contact/create'], ['/v5/contact/create/'], ['//v5//contact/create?x=1']])(
    'the path %s is served',
    async (url) => {
      const answer = await service.call('POST', url, { body, headers: { 'api-key': account.apiKey } });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        request_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        code: 200,
        status: 'success',
        description: expect.stringContaining('asynchronously'),
      });
    },
  );

  test.each([['GET'], ['PUT'], ['PATCH'], ['DELETE'], ['HEAD'], ['OPTIONS']])(
    'the method %s is refused with 405 and an Allow header',
    async (method) => {
      const answer = await service.call(method, '/v5/contact/search', { headers: { 'api-key': account.apiKey } });
      expect(answer.status).toBe(405);
      expect(answer.headers['allow']).toBe('POST');
    },
  );

  test.each([
    ['/v5/contact'],
    ['/v5/contact/create/x'],
    ['/v6/contact/create'],
    ['/%00'],
    ['/v5/contact/%2e%2e/create'],
  ])('the path %s is refused with 404', async (url) => {
    const answer = await service.call('POST', url, { body, headers: { 'api-key': account.apiKey } });
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ code: 404, status: 'error', errors: [] });
  });

  test.each([
    ['missing', {}],
    ['blank', { 'api-key': '  ' }],
    ['unknown', { 'api-key': 'rk_unknown' }],
  ])('a request with the API key %s is refused with 401, whatever its body is', async (_kind, headers) => {
    const answer = await service.call('POST', '/v5/contact/create', { body: '{', headers: { ...json, ...headers } });
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code: 401, status: 'error' });
  });

  test('a key without the scope is refused with 403, and the answer names the scope', async () => {
    const reader = (await account.operator('POST', '/api-keys', { name: 'reader', scopes: ['contacts:read'] })).body
      .api_key;
    const write = await service.call('POST', '/v5/contact/create', { body, headers: { 'api-key': reader } });
    expect(write.status).toBe(403);
    expect(write.body.description).toContain('contacts:write');
    const read = await service.call('POST', '/v5/contact/search', { body: {}, headers: { 'api-key': reader } });
    expect(read.status).toBe(200);
  });

  test.each([['text/plain'], ['application/x-www-form-urlencoded'], ['application/jsonx'], ['']])(
    'the content type "%s" is refused with 415',
    async (type) => {
      const response = await service.app.inject({
        method: 'POST',
        url: '/v5/contact/create',
        headers: { 'api-key': account.apiKey, ...(type === '' ? {} : { 'content-type': type }) },
        payload: Buffer.from(JSON.stringify(body)),
      });
      expect(response.statusCode).toBe(415);
    },
  );

  test('a request without a body and content type is refused with 415', async () => {
    const answer = await service.call('POST', '/v5/contact/search', { headers: { 'api-key': account.apiKey } });
    expect(answer.status).toBe(415);
  });

  test.each([['application/json; charset=utf-8'], ['Application/JSON'], ['application/vnd.api+json']])(
    'the content type "%s" is read as JSON',
    async (type) => {
      const answer = await account.v5('/contact/create', body, { 'content-type': type });
      expect(answer.status).toBe(200);
    },
  );

  test.each([
    ['cut off', '{"data":'],
    ['empty', ''],
    ['with a trailing comma', '{"data":{},}'],
    ['followed by another', '{}{}'],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ])('a JSON body that is %s is refused with 400', async (_kind, payload) => {
    const answer = await service.call('POST', '/v5/contact/create', {
      body: payload,
      headers: { ...json, 'api-key': account.apiKey },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.description).toMatch(/^The body is not valid JSON/);
  });

  test('a byte order mark is accepted', async () => {
    const answer = await account.v5('/contact/search', `\uFEFF{}`);
    expect(answer.status).toBe(200);
  });

  test('a body of more than 16 MiB is refused with 413', async () => {
    const answer = await account.v5('/contact/create', `{"x":"${long(16 * 1024 * 1024)}"}`);
    expect(answer.status).toBe(413);
    expect(answer.body.code).toBe(413);
  });

  test('too many requests are refused with 429, Retry-After and RateLimit headers', async () => {
    const limited = await service.createAccount({ name: 'Limited', settings: { rate_limit: 3 } });
    const answers = [];
    for (let n = 0; n < 4; n++) answers.push(await limited.v5('/contact/search', {}));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 429]);
    expect(answers[0]!.headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '2' });
    expect(Number(answers[3]!.headers['retry-after'])).toBeGreaterThan(0);
    expect(answers[3]!.body).toMatchObject({ code: 429, status: 'error' });
  });

  test('the requests of a key count together, whatever they call, and apart from other keys', async () => {
    const limited = await service.createAccount({ name: 'Limited', settings: { rate_limit: 6 } });
    const { accountId, apiKey } = limited;
    const headers = { 'api-key': apiKey };
    const calls = [
      ['POST', '/v5/contact/search', {}],
      ['POST', '/v4/audience/export', {}],
      ['POST', '/v3/contact/batchadd', {}],
      ['POST', `/apiv2?type=export_data&activity=get_user_channel_activity_data&apikey=${apiKey}`, {}],
      ['GET', `/admin/v1/accounts/${accountId}/statistics/contacts`, undefined],
      ['POST', `/admin/v1/accounts/${accountId}/contact/search`, {}],
    ] as const;
    const left = [];
    for (const [method, url, body] of calls) {
      const answer = await service.call(method, url, { headers, body });
      left.push(Number(answer.headers['ratelimit-remaining']));
    }
    expect(left).toEqual([5, 4, 3, 2, 1, 0]);
    for (const [method, url, body] of calls) {
      expect([url, (await service.call(method, url, { headers, body })).status]).toEqual([url, 429]);
    }
    const { body: made } = await service.operator('POST', `/accounts/${accountId}/api-keys`, { name: 'Second' });
    const other = await service.call('POST', '/v5/contact/search', { headers: { 'api-key': made.api_key }, body: {} });
    expect(other.headers['ratelimit-remaining']).toBe('5');
    // Operators and people have no limit.
    const free = await limited.operator('GET', '/lists');
    expect([free.status, free.headers['ratelimit-limit']]).toEqual([200, undefined]);
  });
});
