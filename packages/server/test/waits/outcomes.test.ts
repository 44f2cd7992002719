import { AcceptedAnswer, WaitedOutcome } from '@roster/contract';
import { describe, expect, test } from 'vitest';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { expectShape } from '../operator/shape.ts';
import { getRequest, keyOf, people, waiting } from './support.ts';

const service = await forFile(startTestService());
const account = service.first;
/** A key with the right to see outcomes. */
const reading: Record<string, string> = {
  'api-key': await keyOf(account, 'contacts:write', 'attributes:write', 'requests:read'),
};

const counts = (some: object) => ({
  total: 1,
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  failed: 0,
  warnings: 0,
  ...some,
});

describe('a caller who waits', () => {
  test('gets the body of today and the outcome, and finds the contact at once', async () => {
    const answer = await account.v5('/contact/create', people({ identity: 'asha@example.com' }), {
      ...reading,
      ...waiting(10),
    });
    expect(answer).toMatchObject({ status: 200, headers: { 'preference-applied': 'wait=10' } });
    expectShape(AcceptedAnswer, answer.body);
    expectShape(WaitedOutcome, answer.body.outcome);
    expect(answer.body).toEqual({
      request_id: answer.headers['x-request-id'],
      code: 200,
      status: 'success',
      description: 'The request was accepted and is processed asynchronously',
      outcome: {
        status: 'done',
        finished_at: expect.stringMatching(/^\d{4}-.*Z$/),
        counts: counts({ created: 1 }),
        failures: [],
        failures_truncated: false,
      },
    });
    expect(await account.rows({ output: { fields: ['identity'] } })).toContainEqual({ identity: 'asha@example.com' });
  });

  test('gets the failures and warnings of the items', async () => {
    const { body } = await account.v5(
      '/contact/create',
      people(
        { identity: 'ravi@example.com' },
        { identity: 'mei@example.com', email: 'other@example.com' },
        { identity: 'lena@example.com', attributes: { NO_SUCH_NAME: 'x' } },
      ),
      { ...reading, ...waiting(10) },
    );
    expect(body.outcome).toMatchObject({
      status: 'done',
      counts: counts({ total: 3, created: 2, failed: 1, warnings: 1 }),
      failures: [
        { index: 1, code: 'identity_mismatch', warning: false, message: expect.any(String) },
        { index: 2, code: 'attribute_unknown', warning: true, field: 'attributes.NO_SUCH_NAME' },
      ],
      failures_truncated: false,
    });
    const { failures } = (await account.operator('GET', `/requests/${body.request_id}`)).body;
    expect(body.outcome.failures).toEqual(failures);
  });

  test('gets the first 1000 failures, and learns that there are more', async () => {
    const attributes = { NONE_1: 1, NONE_2: 2, NONE_3: 3 };
    const contacts = Array.from({ length: 400 }, (_, n) => ({ identity: `many${n}@example.com`, attributes }));
    const bad = { identity: 'bad@example.com', email: 'other@example.com' };
    const { body } = await account.v5('/contact/create', people(...contacts, bad), { ...reading, ...waiting(20) });
    expect(body.outcome).toMatchObject({ counts: { warnings: 1200, failed: 1 }, failures_truncated: true });
    expect(body.outcome.failures).toHaveLength(1000);
    const first = await getRequest(service, reading['api-key']!, body.request_id);
    expect(first.body.data[0].failures).toEqual(body.outcome.failures);
    expect(first.body.data[0].failures_next_cursor).toEqual(expect.any(String));
  });

  test('gets the outcome of every asynchronous operation', async () => {
    const send = (path: string, body: object) => account.v5(path, body, { ...reading, ...waiting(10) });
    const made = await send('/client/attribute/create', { data: [{ name: 'TIER', data_type: 'text' }] });
    expect(made.body.outcome).toMatchObject({ status: 'done', counts: { created: 1 } });
    const contacts = [{ identity: 'asha@example.com', attributes: { TIER: 'gold' } }, { identity: 'none@example.com' }];
    const updated = await send('/contact/update', { data: { contacts } });
    expect(updated.body.outcome).toMatchObject({
      counts: { total: 2, updated: 1, failed: 1 },
      failures: [{ index: 1, code: 'contact_not_found' }],
    });
    const again = await send('/client/attribute/create', { data: [{ name: 'TIER', data_type: 'text' }] });
    expect(again.body.outcome).toMatchObject({ counts: { failed: 1 }, failures: [{ code: 'attribute_exists' }] });
    const removed = await send('/client/attribute/delete', { data: ['TIER'] });
    expect(removed.body.outcome).toMatchObject({ status: 'done', counts: { deleted: 1 } });
    const deleted = await send('/contact/delete', { data: { contacts: [{ identity: 'asha@example.com' }] } });
    expect(deleted.body.outcome).toMatchObject({ status: 'done', counts: { deleted: 1 } });
  });

  test('gets the outcome of recorded activities, as an operator and with a key', async () => {
    const activity = { identity: 'ravi@example.com', channel: 'email', activity: 'open' };
    const body = { data: [{ ...activity, occurred_at: new Date().toISOString() }] };
    const record = (headers: Record<string, string>) =>
      service.call('POST', `/admin/v1/accounts/${account.accountId}/activities`, { body, headers });
    const operator = await record({ authorization: `Bearer ${testAdminToken}`, ...waiting(10) });
    expect(operator).toMatchObject({
      headers: { 'preference-applied': 'wait=10' },
      body: { outcome: { counts: counts({ created: 1 }), failures: [] } },
    });
    const key = await keyOf(account, 'activity:write');
    expect((await record({ 'api-key': key, ...waiting(10) })).body.outcome).toEqual({
      status: 'done',
      finished_at: expect.any(String),
    });
  });

  test('gets the outcome when an operator uses an operation of API keys', async () => {
    const answer = await service.call('POST', `/admin/v1/accounts/${account.accountId}/contact/create`, {
      body: people({ identity: 'by-operator@example.com' }),
      headers: { authorization: `Bearer ${testAdminToken}`, ...waiting(10) },
    });
    expect(answer.body.outcome).toMatchObject({ counts: { created: 1 }, failures: [] });
  });

  test('gets the outcome of the first request when the call is repeated with the same key', async () => {
    const headers = { ...reading, ...waiting(10, { 'idempotency-key': 'order-1' }) };
    const body = people({ identity: 'once@example.com' });
    const [first, second] = [
      await account.v5('/contact/create', body, headers),
      await account.v5('/contact/create', body, headers),
    ];
    expect(second.body).toEqual(first.body);
    expect(second.body.outcome.counts.created).toBe(1);
    const other = await account.v5('/contact/create', people({ identity: 'twice@example.com' }), headers);
    expect([other.status, other.headers['preference-applied']]).toEqual([409, undefined]);
  });

  test('gets the outcome of all parts of a request that several lanes apply', async () => {
    const large = await service.createAccount();
    await large.operator('PATCH', '', { settings: { buckets: 16 } });
    const contacts = Array.from({ length: 300 }, (_, n) => ({ identity: `p${n}@example.com` }));
    const bad = { identity: 'mei@example.com', email: 'other@example.com' };
    const headers = { 'api-key': await keyOf(large, 'contacts:write', 'requests:read'), ...waiting(20) };
    const { body } = await large.v5('/contact/create', people(...contacts, bad), headers);
    expect(body.outcome).toMatchObject({
      status: 'done',
      counts: { total: 301, created: 300, failed: 1 },
      failures: [{ index: 300, code: 'identity_mismatch' }],
    });
  });

  test('gets an error at once when the call is refused', async () => {
    const refused = await account.v5('/contact/create', people({}), { ...reading, ...waiting(10) });
    expect([refused.status, refused.headers['preference-applied']]).toEqual([400, undefined]);
    expect(refused.body.outcome).toBeUndefined();
  });
});

describe('a key without the scope requests:read', () => {
  test('learns that its request was applied, but not who is stored in the account', async () => {
    const key = { 'api-key': await keyOf(account, 'contacts:write') };
    const body = people({ identity: 'quiet@example.com', email: 'other@example.com' });
    const { body: answer } = await account.v5('/contact/create', body, { ...key, ...waiting(10) });
    expect(answer.outcome).toEqual({ status: 'done', finished_at: expect.any(String) });
  });
});

describe('calls without a wait', () => {
  test.each([{}, { prefer: 'wait=soon' }, { prefer: 'wait=0' }, { prefer: 'return=minimal' }])(
    'get the body of today: %j',
    async (prefer: Record<string, string>) => {
      const body = people({ identity: 'plain@example.com' });
      const answer = await account.v5('/contact/create', body, { ...reading, ...prefer });
      expect(Object.keys(answer.body)).toEqual(['request_id', 'code', 'status', 'description']);
      expect(answer.headers['preference-applied']).toBeUndefined();
    },
  );

  test('the older batch add ignores the preference', async () => {
    const answer = await service.call('POST', '/v3/contact/batchadd', {
      body: { listid: 1, primarykey: 'EMAIL', contacts: [{ EMAIL: 'older@example.com' }] },
      headers: { 'api-key': account.apiKey, ...waiting(10) },
    });
    expect(answer.headers['preference-applied']).toBeUndefined();
    expect(Object.keys(answer.body).sort()).toEqual(['message', 'status']);
  });
});

test('pages of other origins may send Prefer and read Preference-Applied', async () => {
  await using own = await startTestService({ config: { corsOrigins: ['https://shop.example.com'] } });
  const origin = 'https://shop.example.com';
  const preflight = await own.call('OPTIONS', '/v5/contact/create', {
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'api-key,content-type,prefer',
    },
  });
  expect(preflight.headers['access-control-allow-headers']).toContain('prefer');
  const headers = { origin, ...waiting(10) };
  const answer = await own.first.v5('/contact/create', people({ identity: 'asha@example.com' }), headers);
  expect(answer.headers['access-control-expose-headers']).toContain('Preference-Applied');
  expect(answer.body.outcome.status).toBe('done');
});
