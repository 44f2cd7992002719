import { ErrorAnswer } from '@roster/contract';
import { operationTable, pathParameters } from '@roster/contract/operations';
import { describe, expect, test, vi } from 'vitest';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { expectShape } from './shape.ts';

const service = await forFile(startTestService({ worker: false, config: { trustProxy: ['127.0.0.1'] } }));

const some = '01a1f783-3b9f-717c-9d6a-8c25d3d4963a';

/** Every operator operation, with numbers in its path that need not exist. */
const operations = Object.values(operationTable)
  .filter(({ generation }) => generation === 'operator')
  .map(({ path, ...operation }) => ({
    ...operation,
    path: path
      .replace('/admin/v1', '')
      .replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof pathParameters) =>
        'format' in pathParameters[name] ? some : '1',
      ),
  }));

/** Operations whose body has a name. */
const named = [
  ['POST', '/accounts'],
  ['PATCH', '/accounts/1'],
  ['POST', '/accounts/1/api-keys'],
  ['POST', '/accounts/1/lists'],
  ['PATCH', '/accounts/1/lists/1'],
  ['POST', '/accounts/1/segments'],
  ['PATCH', '/accounts/1/segments/1'],
] as const;

let addresses = 0;

/** Makes the header of another client. After a hundred failures, an address gets 429. */
const fromNewAddress = (): Record<string, string> => ({ 'x-forwarded-for': `192.0.2.${addresses++ % 250}` });

describe('the operator token', () => {
  test.each(operations)('is required by $method $path before any other check', async ({ method, path }) => {
    const answer = await service.call(method, `/admin/v1${path}`, { headers: fromNewAddress() });

    expect(answer).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="Roster operator API"' },
      body: { code: 401, status: 'error', errors: [] },
    });
    expect(answer.body.description).toBe('The request has no valid credential for the operator API');
    expectShape(ErrorAnswer, answer.body);
  });

  test.each([
    ['another token', 'Bearer another-token-of-the-tests'],
    ['a token without its last character', `Bearer ${testAdminToken.slice(0, -1)}`],
    ['a token with an additional character', `Bearer ${testAdminToken}x`],
    ['two tokens', `Bearer ${testAdminToken} ${testAdminToken}`],
    ['a token without a scheme', testAdminToken],
    ['a token with another scheme', `Basic ${Buffer.from(testAdminToken).toString('base64')}`],
    ['a scheme without a token', 'Bearer '],
    ['a blank header', ''],
  ])('is refused if the Authorization header has %s', async (_, authorization) => {
    expect(
      await service.call('GET', '/admin/v1/accounts', { headers: { authorization, ...fromNewAddress() } }),
    ).toMatchObject({
      status: 401,
    });
  });

  test('cannot be replaced by an API key', async () => {
    const headers = {
      authorization: `Bearer ${service.first.apiKey}`,
      'api-key': service.first.apiKey,
      ...fromNewAddress(),
    };
    expect(await service.call('GET', '/admin/v1/accounts', { headers })).toMatchObject({ status: 401 });
  });

  test('is accepted with the scheme in any letter case', async () => {
    const headers = { authorization: `bearer  ${testAdminToken} ` };
    expect(await service.call('GET', '/admin/v1/accounts', { headers })).toMatchObject({ status: 200 });
  });
});

describe('the operator API', () => {
  const ids = ['0', '-1', 'x', '1.5', '1e3', '01', '2147483648', '99999999999999999999', '%00', '%20', '2147483647'];

  test.each(ids)('returns 404 for the id %s at any place of a path', async (id) => {
    for (const path of [`/accounts/${id}`, `/accounts/${id}/lists`, `/accounts/${id}/audit-log`]) {
      expect(await service.operator('GET', path)).toMatchObject({ status: 404, body: { code: 404 } });
    }
    for (const path of [`lists/${id}`, `segments/${id}`, `segments/${id}/count`]) {
      expect(await service.first.operator('GET', `/${path}`)).toMatchObject({ status: 404 });
    }
    for (const path of [`lists/${id}`, `segments/${id}`, `api-keys/${id}`]) {
      expect(await service.first.operator('DELETE', `/${path}`)).toMatchObject({ status: 404 });
    }
    for (const path of ['lists', 'segments']) {
      expect(await service.first.operator('PATCH', `/${path}/${id}`, { name: 'x' })).toMatchObject({ status: 404 });
    }
    expect(await service.operator('PATCH', `/accounts/${id}`, { name: 'x' })).toMatchObject({ status: 404 });
    expect(await service.operator('POST', `/accounts/${id}/lists`, { name: 'x' })).toMatchObject({ status: 404 });
    expect(await service.operator('POST', `/accounts/${id}/api-keys`, { name: 'x' })).toMatchObject({ status: 404 });
    const segment = { name: 'x', filtering_criteria: [] };
    expect(await service.operator('POST', `/accounts/${id}/segments`, segment)).toMatchObject({ status: 404 });
  });

  test.each(['x', '1', some, `${some}0`, '{01a1f783-3b9f-717c-9d6a-8c25d3d4963a}'])(
    'returns 404 for the request_id %s',
    async (id) => {
      expect(await service.first.operator('GET', `/requests/${id}`)).toMatchObject({ status: 404 });
    },
  );

  test('says in a 404 which item does not exist', async () => {
    const { body } = await service.operator('GET', '/accounts/77/lists/3');
    expect(body.description).toBe('There is no list 3 in account 77');
    expect((await service.operator('GET', '/accounts/x')).body.description).toBe(
      'There is no account with this account_id, which is a number',
    );
  });

  test('returns 404 for an unknown path, and 405 with the header Allow for another method', async () => {
    expect(await service.operator('GET', '/nothing')).toMatchObject({ status: 404 });
    expect(await service.operator('PUT', '/accounts/1/lists/1', {})).toMatchObject({
      status: 405,
      headers: { allow: 'DELETE, GET, HEAD, PATCH' },
    });
  });
});

describe('a body of the operator API', () => {
  test.each(named)('for %s %s must have no unknown field, and the fault names the field', async (method, path) => {
    const { status, body } = await service.operator(method, path, { nmae: 'Acme', '__proto__\u0000': 1 });

    expect(status).toBe(400);
    expect(body.errors).toContainEqual({ code: 'unknown_field', field: 'nmae', message: expect.any(String) });
    expectShape(ErrorAnswer, body);
  });

  test.each(named)('for %s %s must be a JSON object', async (method, path) => {
    const headers = { authorization: `Bearer ${testAdminToken}`, 'content-type': 'application/json' };
    const send = (body: string, type = 'application/json') =>
      service.call(method, `/admin/v1${path}`, { body, headers: { ...headers, 'content-type': type } });

    expect(await send('{"name": ')).toMatchObject({
      status: 400,
      body: { description: expect.stringContaining('not valid JSON') },
    });
    expect(await send('')).toMatchObject({ status: 400 });
    expect(await send('null')).toMatchObject({ status: 400 });
    expect(await send('["name"]')).toMatchObject({ status: 400, body: { errors: [{ code: 'invalid_type' }] } });
    expect(await send('name=x', 'application/x-www-form-urlencoded')).toMatchObject({ status: 415 });
    const missing = await service.call(method, `/admin/v1${path}`, {
      headers: { authorization: headers.authorization },
    });
    expect(missing).toMatchObject({
      status: 400,
      body: { description: expect.stringMatching(/is required|needs at least/) },
    });
    expect(missing.body.errors[0].code).toBe('required');
  });

  test.each(named.filter(([method]) => method === 'PATCH'))(
    'for %s %s must have at least one field',
    async (method, path) => {
      const { status, body } = await service.operator(method, path, {});

      expect(status).toBe(400);
      expect(body.errors).toEqual([{ code: 'required', field: '', message: expect.stringContaining('name') }]);
    },
  );

  const names: [string, unknown, string][] = [
    ['missing', undefined, 'required'],
    ['null', null, 'required'],
    ['blank', '  ', 'required'],
    ['a number', 7, 'invalid_type'],
    ['too long', 'x'.repeat(256), 'too_long'],
    ['a text with U+0000', 'a\u0000b', 'invalid_character'],
    ['a text with half a surrogate pair', 'a\ud800b', 'invalid_character'],
  ];
  test.each(names)('must not have a name that is %s', async (_, name, code) => {
    for (const [method, path] of named) {
      if (method === 'PATCH') continue;
      const { status, body } = await service.operator(method, path, { name, filtering_criteria: [] });
      expect(status).toBe(400);
      expect(body.errors).toContainEqual({ code, field: 'name', message: expect.any(String) });
    }
  });

  test('may have a name of up to 255 characters after trimming, even if another item has the same name', async () => {
    const name = '😀'.repeat(255);
    for (const path of ['/accounts', '/accounts/1/lists', '/accounts/1/api-keys']) {
      for (let count = 0; count < 2; count++) {
        expect(await service.operator('POST', path, { name: `  ${name}\n` })).toMatchObject({
          status: 201,
          body: { name },
        });
      }
    }
  });

  test('may be missing in a DELETE that has a content type', async () => {
    const { body } = await service.first.operator('POST', '/lists', { name: 'x' });
    const headers = { authorization: `Bearer ${testAdminToken}`, 'content-type': 'application/json' };

    const answer = await service.call('DELETE', `/admin/v1/accounts/1/lists/${body.audience_id}`, { headers });

    expect(answer).toMatchObject({ status: 204, body: '' });
  });
});

describe('the query of a listing', () => {
  const listings = [
    '/accounts',
    '/accounts/1/api-keys',
    '/accounts/1/lists',
    '/accounts/1/segments',
    '/accounts/1/requests',
    '/accounts/1/audit-log',
  ];
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const faults: [string, string, string][] = [
    ['limit=0', 'limit', 'out_of_range'],
    ['limit=501', 'limit', 'out_of_range'],
    ['limit=many', 'limit', 'invalid_type'],
    ['limit=1&limit=2', 'limit', 'invalid_type'],
    ['cursor=abc', 'cursor', 'invalid_format'],
    ['cursor=%00', 'cursor', 'invalid_character'],
    [`cursor=${'x'.repeat(300)}`, 'cursor', 'too_long'],
    [`cursor=${encode(7)}`, 'cursor', 'invalid_format'],
    [`cursor=${encode([])}`, 'cursor', 'invalid_format'],
    [`cursor=${encode([1, 2])}`, 'cursor', 'invalid_format'],
    [`cursor=${encode(['1'])}`, 'cursor', 'invalid_format'],
    [`cursor=${encode([1.5])}`, 'cursor', 'invalid_format'],
    [`cursor=${encode([-1])}`, 'cursor', 'invalid_format'],
    [`cursor=${encode([1e300])}`, 'cursor', 'invalid_format'],
    ['limits=5', 'limits', 'unknown_field'],
  ];
  test.each(faults)('must not be %s, in any listing', async (query, field, code) => {
    for (const path of listings) {
      // Lists and segments can be ordered by name, so their cursors may be longer.
      const mayBeLong = /\/(lists|segments)$/.test(path);
      if (mayBeLong && code === 'too_long') continue;
      const { status, body } = await service.operator('GET', `${path}?${query}`);
      expect(status).toBe(400);
      expect(body.errors).toEqual([{ code, field, message: expect.any(String) }]);
    }
  });

  test('may have a blank limit and a blank cursor, which count as absent', async () => {
    for (const path of listings) expect((await service.operator('GET', `${path}?limit=&cursor=`)).status).toBe(200);
  });

  test('must not have a cursor above the largest possible id', async () => {
    const answer = await service.operator('GET', `/accounts?cursor=${encode([2 ** 40])}`);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'cursor' }] } });
  });
});

test('an operator operation refuses a body above 16 MiB with 413', async () => {
  const answer = await service.operator('POST', '/accounts', { name: 'x'.repeat(16 * 1024 * 1024) });
  expect(answer).toMatchObject({ status: 413, body: { code: 413 } });
  expectShape(ErrorAnswer, answer.body);
});

test('every operator operation returns 503 while the database is unreachable, and the API works again afterwards', async () => {
  const spy = vi.spyOn(service.context.pool, 'connect').mockImplementation(() => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  });
  try {
    for (const { method, path, examples, rawBodies, permission } of operations) {
      // The import of a file reads its body before it uses the database.
      if (rawBodies !== undefined) continue;
      // The operator token is not a person, so it is refused.
      if (permission === 'signed-in') continue;
      const query = method === 'DELETE' && path.includes('/contacts/') ? '?mode=erase' : '';
      const answer = await service.operator(method, path + query, Object.values(examples ?? {})[0]?.value);
      expect({ method, path, status: answer.status }).toEqual({ method, path, status: 503 });
      expect(answer.headers['retry-after']).toBe('1');
    }
  } finally {
    spy.mockRestore();
  }
  expect((await service.operator('GET', '/accounts/1')).status).toBe(200);
});
