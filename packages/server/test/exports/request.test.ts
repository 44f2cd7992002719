import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import type { Answer, TestAccount } from '../support/service.ts';
import { listExport, startExportService } from './export-service.ts';

const exports = await forFile(startExportService({ jobs: false }));
await exports.account.operator('PATCH', '', { settings: { auto_create_attributes: true } });
const now = new Date();
await exports.service.context.db
  .insertInto('attributes')
  .values({ account_id: 1, attribute_id: 11, name: 'BIO', data_type: 'long_text', created_at: now, updated_at: now })
  .execute();
await exports.service.context.db.updateTable('account_numbers').set({ last_attribute_id: 11 }).execute();

/** The faults of a refused request, as `code field`. */
function faultsOf(answer: Answer): string[] {
  expect(answer.status, JSON.stringify(answer.body)).toBe(400);
  expectErrorShape(answer);
  return answer.body.data.errors.map(({ code, field }: { code: string; field: string }) => `${code} ${field}`);
}

function expectErrorShape({ status, body }: Answer): void {
  expect(Object.keys(body).sort()).toEqual(['data', 'message', 'statusCode']);
  expect(Object.keys(body.data).sort()).toEqual(['description', 'errors', 'status']);
  expect(body).toMatchObject({ data: { status: 'error' }, message: body.data.description, statusCode: status });
  expect(body.message).toMatch(/\w/);
}

async function stored(requestId: string) {
  return exports.service.context.db
    .selectFrom('exports')
    .where('request_id', '=', requestId)
    .selectAll()
    .executeTakeFirstOrThrow();
}

describe('accepted export requests', () => {
  test('the answer has exactly the documented shape', async () => {
    const { status, body } = await exports.request(listExport(1));
    expect(status).toBe(200);
    expect(body).toEqual({
      data: { status: 'success', description: 'The export request was created', request_id: expect.any(String) },
      message: 'The export request was created',
      statusCode: 200,
    });
    expect(body.data.request_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
    expect(await exports.find(body.data.request_id)).toMatchObject({ status: 'accepted', rows_total: null });
  });

  test('the whole documented body is accepted, in any letter case and with unknown keys', async () => {
    const requestId = await exports.accepted({
      Audience_Details: {
        audience_type: 'LIST',
        audience_id: '1',
        attributes_needed: ['first_name', 'Email'],
        blocklist_type: 'Phone',
        something: 1,
      },
      file_type: 'CSV',
      notify_email: ' asha@example.com ',
      callback_details: {
        method: 'put',
        endpoint: 'https://hooks.example.com/x?y=1',
        header: [
          { 'X-One': 'a', 'X-Two': 2 },
          { key: 'X-Three', value: true },
          { Key: '', Value: '' },
          {},
          { Name: 'X-Four', Value: 'b', type: 'text' },
          { name: 'alone' },
        ],
        body: { nested: { text: 'with \u0000 and \ud800' } },
      },
      channel: 'email',
    });
    expect(await stored(requestId)).toMatchObject({
      audience_type: 'list',
      audience_id: 1,
      columns: [
        { name: 'first_name', attribute_id: 1 },
        { name: 'Email', field: 'email' },
      ],
      blocklist_type: 'mobile',
      compression: 'none',
      unmasked: false,
      notify_email: 'asha@example.com',
      callback: {
        method: 'PUT',
        endpoint: 'https://hooks.example.com/x?y=1',
        headers: [
          ['X-One', 'a'],
          ['X-Two', '2'],
          ['X-Three', 'true'],
          ['X-Four', 'b'],
          ['name', 'alone'],
        ],
        body: { nested: { text: 'with \u0000 and \ud800' } },
      },
    });
  });

  test.each([
    ['no header', {}],
    ['an empty array as header', { header: [] }],
    ['an empty object as header', { header: [{}] }],
    ['one header outside an array', { header: { 'X-One': 'a' } }],
    ['nulls', { header: null, body: null, method: null, endpoint: null }],
    ['a blank endpoint', { endpoint: ' ' }],
  ])('a callback with %s is accepted', async (_name, callback_details) => {
    await exports.accepted(listExport(1, {}, { callback_details, notify_email: '' }));
  });

  test('attributes_needed can be one text, null, or an empty array', async () => {
    const names = async (attributes_needed: unknown) =>
      (await exports.find(await exports.accepted(listExport(1, { attributes_needed })))).attributes;
    expect(await names('CITY')).toEqual(['CITY']);
    expect(await names(null)).toEqual(['EMAIL', 'MOBILE']);
    expect(await names([])).toEqual(['EMAIL', 'MOBILE']);
  });

  test.each([
    ['without a content type', {}],
    ['with the content type of a form, which curl sends', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['with the content type of a text, which fetch sends', { 'content-type': 'text/plain;charset=UTF-8' }],
    ['with parameters in its content type', { 'content-type': 'Application/JSON; charset=utf-8' }],
  ])('a body %s is accepted', async (_name, headers) => {
    const answer = await exports.service.app.inject({
      method: 'POST',
      url: '/v4/audience/export',
      headers: { 'api-key': exports.account.apiKey, ...headers },
      payload: Buffer.from(JSON.stringify(listExport(1))),
    });
    expect(answer.statusCode, answer.body).toBe(200);
  });

  test('the name of a system attribute means the attribute that is mapped to it', async () => {
    const { db } = exports.service.context;
    const now = new Date();
    const town = { account_id: 1, attribute_id: 12, name: 'TOWN', data_type: 'text', mapping: 'CITY' } as const;
    await db
      .insertInto('attributes')
      .values({ ...town, created_at: now, updated_at: now })
      .execute();
    const { columns } = await stored(await exports.accepted(listExport(1, { attributes_needed: ['city', 'town'] })));
    expect(columns).toEqual([
      { name: 'city', attribute_id: 12 },
      { name: 'town', attribute_id: 12 },
    ]);
  });
});

describe('refused export requests', () => {
  test('all faults are reported at once, those of the body and those that depend on the account', async () => {
    const answer = await exports.request({
      audience_details: {
        audience_type: 'list',
        audience_id: 99,
        attributes_needed: ['EMAIL', 'NOT_THERE', 5, 'bio', 'list_id', 'NEITHER'],
        blocklist_type: 'fax',
      },
      file_type: 'xlsx',
      compression: 'zip',
      notify_email: 'nobody',
      callback_details: {
        method: 'DELETE',
        endpoint: 'http://127.0.0.1/x',
        header: [{ 'X-One': 'a' }, { Host: 'x' }, { key: 'X-Two', value: 'a\r\nX-Evil: 1' }, { 'X-Null': null }],
        body: [],
      },
    });
    expect(faultsOf(answer).sort()).toEqual(
      [
        'not_found audience_details.audience_id',
        'unknown_field audience_details.attributes_needed[1]',
        'invalid_type audience_details.attributes_needed[2]',
        'not_supported audience_details.attributes_needed[3]',
        'not_supported audience_details.attributes_needed[4]',
        'unknown_field audience_details.attributes_needed[5]',
        'unknown_value audience_details.blocklist_type',
        'unknown_value file_type',
        'unknown_value compression',
        'invalid_format notify_email',
        'unknown_value callback_details.method',
        'not_allowed callback_details.endpoint',
        'not_allowed callback_details.header[1].Host',
        'invalid_format callback_details.header[2]',
        'invalid_type callback_details.header[3].X-Null',
        'invalid_type callback_details.body',
      ].sort(),
    );
    expect(JSON.stringify(answer.body)).not.toContain('X-Evil');
  });

  test('a request can have a hundred attributes, and each unknown one is reported', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `NOT_THERE_${index}`);
    const faults = faultsOf(await exports.request(listExport(1, { attributes_needed: names })));
    expect(faults).toEqual(names.map((_, index) => `unknown_field audience_details.attributes_needed[${index}]`));
    const tooMany = listExport(99, { attributes_needed: Array.from({ length: 101 }, () => 'EMAIL') });
    expect(faultsOf(await exports.request(tooMany))).toEqual([
      'too_many_items audience_details.attributes_needed',
      'not_found audience_details.audience_id',
    ]);
  });

  test.each([
    ['an empty object', {}, ['required audience_details', 'required callback_details']],
    ['an array', [], ['invalid_type ']],
    ['a text', 'export please', ['invalid_type ']],
    [
      'empty details',
      { audience_details: {}, callback_details: 'no' },
      [
        'required audience_details.audience_type',
        'required audience_details.audience_id',
        'invalid_type callback_details',
      ],
    ],
    ['a segment for a list', listExport(1, { audience_type: 'segment' }), ['not_found audience_details.audience_id']],
    ['an id that is too large', listExport(2 ** 31), ['out_of_range audience_details.audience_id']],
    [
      'a blocklist in the wrong place',
      listExport(1, {}, { blocklist_type: 'email' }),
      ['unknown_field blocklist_type'],
    ],
    ['a misspelt blocklist', listExport(1, { blackList: 'email' }), ['unknown_field audience_details.blackList']],
    [
      'another word for a blocklist',
      listExport(1, { exclude: 'opted out' }),
      ['unknown_field audience_details.exclude'],
    ],
    [
      'a filter, which an export does not have',
      listExport(1, { filtering_criteria: [] }, { only_opted_in: true }),
      ['unknown_field audience_details.filtering_criteria', 'unknown_field only_opted_in'],
    ],
    ...['url', 'URL', 'uri', 'callback_url', 'callbackUrl', 'endpoint_url', 'end_point', 'webhook'].map(
      (key): [string, object, string[]] => [
        `${key} in place of the endpoint`,
        listExport(1, {}, { callback_details: { [key]: 'https://hooks.example.com/', method: 'POST' } }),
        [`unknown_field callback_details.${key}`],
      ],
    ),
    ...['callback', 'callback_url', 'callbackurl', 'endpoint', 'webhook_url'].map((key): [string, object, string[]] => [
      `${key} next to callback_details`,
      listExport(1, {}, { [key]: 'https://hooks.example.com/' }),
      [`unknown_field ${key}`],
    ]),
    [
      'a body that is too large',
      listExport(1, {}, { callback_details: { body: { text: 'x'.repeat(70_000) } } }),
      ['too_long callback_details.body'],
    ],
    [
      'a body that is too long for the query of a GET callback',
      listExport(
        1,
        {},
        {
          callback_details: { method: 'get', endpoint: 'https://hooks.example.com/', body: { text: 'ü'.repeat(700) } },
        },
      ),
      ['too_long callback_details.body'],
    ],
    [
      'an endpoint that is too long once it is percent-encoded',
      listExport(1, {}, { callback_details: { endpoint: `https://hooks.example.com/${'ü'.repeat(400)}` } }),
      ['too_long callback_details.endpoint'],
    ],
    [
      'a body with a number that cannot be stored exactly',
      listExport(1, {}, { callback_details: { body: { jobs: [{ id: 2 ** 53 }] } } }),
      ['out_of_range callback_details.body'],
    ],
    [
      'two headers of the same name',
      listExport(1, {}, { callback_details: { header: [{ 'X-A': '1' }, { 'x-a': '2' }] } }),
      ['not_allowed callback_details.header[1].x-a'],
    ],
    [
      'a header without a name',
      listExport(1, {}, { callback_details: { header: [{ key: 5, value: 'x' }] } }),
      ['invalid_type callback_details.header[0].key'],
    ],
  ])('a request with %s is refused', async (_name, body, faults) => {
    expect(faultsOf(await exports.request(JSON.stringify(body))).sort()).toEqual([...faults].sort());
  });

  test.each([
    [100, ['not_supported callback_details.body']],
    // The service refuses the next bodies before it parses them.
    [2000, []],
    [200_000, []],
  ])('a callback body with %i levels is refused, because it is nested too deeply', async (levels, faults) => {
    const body = `{"audience_details":{"audience_type":"list","audience_id":1},"callback_details":{"body":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}}`;
    const answer = await exports.request(body, { 'idempotency-key': `nested-${levels}` });
    expect([answer.status, faultsOf(answer)]).toEqual([400, faults]);
  });

  test('a repeated key is refused, because one of its values would be ignored', async () => {
    const details = '{"audience_type":"list","audience_id":1,"blocklist_type":"email","blocklist_type":"mobile"}';
    expect(faultsOf(await exports.request(`{"audience_details":${details},"callback_details":{}}`))).toEqual([
      'duplicate audience_details.blocklist_type',
    ]);
  });

  test('lists and attributes of another account do not exist for this one', async () => {
    const other: TestAccount = await exports.service.createAccount();
    const list = await other.operator('POST', '/lists', { name: 'Theirs' });
    await other.operator('POST', '/lists', { name: 'Theirs too' });
    expect(list.status).toBe(201);
    expect(faultsOf(await exports.request(listExport(2)))).toEqual(['not_found audience_details.audience_id']);
  });
});

describe('errors of the export operation', () => {
  const send = (method: string, url: string, headers: Record<string, string>, body?: unknown) =>
    exports.service.call(method, url, { body, headers });

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'])(
    'the method %s is refused with 405 in the shape of v4',
    async (method) => {
      const answer = await send(method, '/v4/audience/export', {});
      expect(answer.status).toBe(405);
      expect(answer.headers['allow']).toBe('POST');
      expectErrorShape(answer);
    },
  );

  test.each([
    ['an unknown path is refused with 404', 404, '/v4/audience/exports', {}, {}],
    ['an unknown path with an extra slash is refused with 404', 404, '//v4/nothing', {}, {}],
    ['a request without an API key is refused with 401', 401, '/v4/audience/export', {}, {}],
    ['a blank API key is refused with 401', 401, '/v4/audience/export', { 'api-key': ' ' }, {}],
    ['an unknown API key is refused with 401', 401, '/v4/audience/export', { 'api-key': 'nobody' }, {}],
  ])('%s in the shape of v4', async (_name, status, url, headers, body) => {
    const answer = await send('POST', url, headers, body);
    expect(answer.status).toBe(status);
    expectErrorShape(answer);
  });

  test.each([
    ['invalid JSON is refused with 400', 400, {}, '{"audience_details":'],
    ['an empty body is refused with 400', 400, {}, ''],
    ['another content type is refused with 415', 415, { 'content-type': 'text/csv' }, '{}'],
    ['a body that is too large is refused with 413', 413, {}, Buffer.alloc(16 * 1024 * 1024 + 1, ' ')],
    ['an invalid idempotency key is refused with 400', 400, { 'idempotency-key': 'with space' }, listExport(1)],
  ])('%s in the shape of v4', async (_name, status, headers, body) => {
    const answer = await exports.request(body, headers);
    expect(answer.status).toBe(status);
    expectErrorShape(answer);
  });

  test('a key without the scope export is refused with 403', async () => {
    const { body } = await exports.account.operator('POST', '/api-keys', { name: 'r', scopes: ['contacts:read'] });
    const answer = await exports.request(listExport(1), { 'api-key': body.api_key });
    expect(answer.status).toBe(403);
    expectErrorShape(answer);
    expect(answer.body.message).toContain('export');
  });

  test('requests beyond the rate limit are refused with 429', async () => {
    const limited = await exports.service.createAccount({ name: 'Limited', settings: { rate_limit: 1 } });
    const headers = { 'api-key': limited.apiKey };
    await exports.request({}, headers);
    const answer = await exports.request({}, headers);
    expect(answer.status).toBe(429);
    expect(answer.headers).toHaveProperty('retry-after');
    expectErrorShape(answer);
  });

  test('an internal error returns 500 with the request_id, but without the cause', async () => {
    const { context } = exports.service;
    await context.pool.query('alter table exports rename to exports_away');
    try {
      const answer = await exports.request(listExport(1));
      expect(answer.status).toBe(500);
      expectErrorShape(answer);
      expect(answer.body.message).toMatch(/request_id [0-9a-f-]{36}/);
      expect(JSON.stringify(answer.body)).not.toContain('relation');
    } finally {
      await context.pool.query('alter table exports_away rename to exports');
    }
  });

  test('an error of a V5 operation keeps the shape of V5', async () => {
    const answer = await exports.service.call('POST', '/v5/contact/search', { body: {} });
    expect(answer.body).toMatchObject({ code: 401, status: 'error' });
  });
});

describe('the Idempotency-Key of an export', () => {
  test('a repeat returns the first request and makes no second export; another body is a conflict', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await exports.accepted(listExport(1), headers);
    expect(await exports.accepted(listExport(1), headers)).toBe(first);
    const answer = await exports.request(listExport(1, { attributes_needed: ['CITY'] }), headers);
    expect(answer.status).toBe(409);
    expectErrorShape(answer);
    expect(await exports.accepted(listExport(1), { 'idempotency-key': 'twice' })).not.toBe(first);
  });

  test('a refused request does not use up the key', async () => {
    const headers = { 'idempotency-key': 'refused' };
    faultsOf(await exports.request(listExport(99), headers));
    await exports.accepted(listExport(1), headers);
  });

  test('simultaneous requests with one key make one export', async () => {
    const headers = { 'idempotency-key': 'together' };
    const ids = await Promise.all(Array.from({ length: 5 }, () => exports.accepted(listExport(1), headers)));
    expect(new Set(ids).size).toBe(1);
  });
});

test('an accepted export is written to the audit log, without addresses', async () => {
  const details = { attributes_needed: ['CITY'], blocklist_type: 'email' };
  const rest = {
    notify_email: 'secret@example.com',
    callback_details: { endpoint: 'https://hooks.example.com/secret' },
  };
  const requestId = await exports.accepted(listExport(1, details, rest));
  const { body } = await exports.account.operator('GET', '/audit-log?limit=1');
  expect(body.data[0]).toMatchObject({
    actor: 'api-key:1',
    action: 'export.create',
    subject: `export:${requestId}`,
    details: { audience_type: 'list', audience_id: 1, attributes: ['CITY'], blocklist_type: 'email', unmasked: false },
  });
  expect(JSON.stringify(body)).not.toContain('secret');
});
