import { GetRequestAnswer } from '@roster/contract';
import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { expectShape } from '../operator/shape.ts';
import { getRequest, keyOf, people, timed, waiting } from './support.ts';

const service = await forFile(startTestService());
const account = await service.createAccount();
const key = await keyOf(account, 'requests:read');
const request = await account.apply(
  '/contact/create',
  people(
    { identity: 'asha@example.com' },
    { identity: 'mei@example.com', email: 'other@example.com' },
    { identity: 'lena@example.com', attributes: { NO_SUCH_NAME: 'x' } },
  ),
);
/** A request with a failure and a warning. */
const requestId: string = request.request_id;

const nowhere = '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11';

test('an API key gets a request in the envelope of V5, as operators see it', async () => {
  const answer = await getRequest(service, key, requestId);
  expect(answer.status).toBe(200);
  expectShape(GetRequestAnswer, answer.body);
  expect(answer.body).toMatchObject({
    request_id: answer.headers['x-request-id'],
    code: 200,
    status: 'success',
    description: 'The request is finished',
    data: [
      {
        request_id: requestId,
        operation: 'contact.create',
        status: 'done',
        outcome: 'some_failed',
        counts: { total: 3, created: 2, failed: 1, warnings: 1 },
        failure_codes: [
          { code: 'attribute_unknown', count: 1 },
          { code: 'identity_mismatch', count: 1 },
        ],
        failures: [
          { index: 1, code: 'identity_mismatch', warning: false },
          { index: 2, code: 'attribute_unknown', warning: true },
        ],
        failures_next_cursor: null,
      },
    ],
  });
  expect(answer.body.data[0]).toEqual((await account.operator('GET', `/requests/${requestId}`)).body);
  expect((await getRequest(service, key, requestId, {}, '/requests')).body.data).toEqual(answer.body.data);
  expect(answer.headers['ratelimit-limit']).toBeDefined();
});

test('the failures of a request can be filtered by code and read page by page', async () => {
  const attributes = { NONE_1: 1, NONE_2: 2, NONE_3: 3 };
  const contacts = Array.from({ length: 350 }, (_, n) => ({ identity: `many${n}@example.com`, attributes }));
  const bad = { identity: 'bad@example.com', email: 'other@example.com' };
  const { request_id: many } = await account.apply('/contact/create', people(...contacts, bad));
  const first = await getRequest(service, key, many);
  const { failures, failures_next_cursor: cursor } = first.body.data[0];
  expect(failures).toHaveLength(1000);
  const second = await getRequest(service, key, `${many}?failures_cursor=${cursor}`);
  expect(second.body.data[0].failures.at(-1)).toMatchObject({ index: 350, code: 'identity_mismatch' });
  expect(second.body.data[0].failures_next_cursor).toBeNull();
  const filtered = await getRequest(service, key, `${many}?failures_code=identity_mismatch`);
  expect(filtered.body.data[0].failures).toMatchObject([{ index: 350 }]);
  expect(await getRequest(service, key, `${many}?failures_cursor=x`)).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'failures_cursor' }] },
  });
  expect(await getRequest(service, key, `${many}?failure_code=x`)).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'unknown_field' }] },
  });
});

describe('the rights of a key', () => {
  test('the scope requests:read is needed, and a valid key', async () => {
    for (const scopes of [['contacts:write'], ['contacts:read', 'unmasked']]) {
      expect(await getRequest(service, await keyOf(account, ...scopes), requestId)).toMatchObject({
        status: 403,
        body: { description: 'The caller does not have the scope requests:read' },
      });
    }
    expect(await getRequest(service, 'rk_unknown', requestId)).toMatchObject({ status: 401 });
    expect(await service.call('GET', `/v5/requests/${requestId}`)).toMatchObject({ status: 401 });
  });

  test('a request of another account, an unknown one and what is no id get 404', async () => {
    const other = await service.createAccount();
    const otherKey = await keyOf(other, 'requests:read');
    for (const [apiKey, id] of [
      [otherKey, requestId],
      [key, nowhere],
      [key, 'not-an-id'],
      [key, `${requestId}0`],
    ] as const) {
      const answer = await getRequest(service, apiKey, id, waiting(30));
      expect(answer).toMatchObject({ status: 404, body: { code: 404, status: 'error', errors: [] } });
      expect(answer.headers['preference-applied']).toBeUndefined();
    }
    const upper = await getRequest(service, key, requestId.toUpperCase());
    expect(upper.status).toBe(200);
  });

  test('contacts of failures need the scope contacts:read, and stay masked without unmasked', async () => {
    const masked = await service.createAccount({ name: 'Masked', primary_key: 'EMAIL' });
    await masked.createAttributes([{ name: 'CUSTOMER_ID', data_type: 'text', data_masking: 'partial' }]);
    await masked.operator('PATCH', '', { primary_key: 'CUSTOMER_ID' });
    const { request_id: id } = await masked.updateContacts([{ identity: 'secret-4711', attributes: { CITY: 'Pune' } }]);
    const get = async (...scopes: string[]) => {
      const found = await getRequest(service, await keyOf(masked, ...scopes), `${id}?failures_with_contacts=true`);
      return found.status === 200 ? found.body.data[0].failures[0].contact : found.status;
    };
    expect(await get('requests:read')).toBe(403);
    expect(await get('requests:read', 'contacts:read')).toEqual({ field: 'identity', value: '*******4711' });
    expect(await get('requests:read', 'contacts:read', 'unmasked')).toEqual({
      field: 'identity',
      value: 'secret-4711',
    });
  });
});

test('other methods get 405, and the header Allow names the right ones', async () => {
  for (const path of [`/v5/requests/${requestId}`, `/requests/${requestId}`]) {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await service.call(method, path, { headers: { 'api-key': key }, body: {} });
      expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    }
  }
  expect((await service.call('HEAD', `/v5/requests/${requestId}`, { headers: { 'api-key': key } })).status).toBe(200);
});

test('operators get requests at their own path only, in their own form', async () => {
  const answer = await account.operator('GET', `/requests/${requestId}`);
  expect(answer.body).toMatchObject({ request_id: requestId, status: 'done' });
});

describe('long polling', () => {
  test('a request that is finished is returned at once', async () => {
    const { result, milliseconds } = await timed(() => getRequest(service, key, requestId, waiting(30)));
    expect(milliseconds).toBeLessThan(5000);
    expect(result).toMatchObject({
      headers: { 'preference-applied': 'wait=30' },
      body: { data: [{ status: 'done' }] },
    });
  });

  test('a request that waits is returned as soon as it is applied, to keys and operators', async () => {
    await using own = await startTestService({ worker: false });
    const reading = await keyOf(own.first, 'requests:read');
    const sent = await own.first.v5('/contact/create', people({ identity: 'mei@example.com', email: 'o@example.com' }));
    const id = sent.body.request_id;
    const found = getRequest(own, reading, id, waiting(30));
    const seen = own.call('GET', `/admin/v1/accounts/1/requests/${id}`, {
      headers: { 'api-key': reading, ...waiting(30) },
    });
    await expect.poll(() => own.context.requestWaits.waiting).toBe(2);
    await using _worker = own.startWorker();
    const answer = await found;
    expect(answer).toMatchObject({
      headers: { 'preference-applied': 'wait=30' },
      body: { data: [{ request_id: id, status: 'done', failures: [{ code: 'identity_mismatch' }] }] },
    });
    expect(await seen).toMatchObject({ headers: { 'preference-applied': 'wait=30' }, body: answer.body.data[0] });
  });
});
