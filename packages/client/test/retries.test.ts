import { apiErrors } from '@roster/contract';
import { describe, expect, test } from 'vitest';
import { createClient, createOperatorClient, RosterError } from '../src/index.ts';
import { delayOf, defaultRetries, readRetryAfter } from '../src/transport/retry.ts';
import { startScriptedServer, type Received, type Step } from './scripted-server.ts';

const retries = { limit: 3, baseDelay: 1, maxDelay: 4 };
const accepted = (requestId: string): Step => ({
  status: 200,
  body: { request_id: requestId, code: 200, status: 'success', description: '' },
});
const busy: Step = {
  status: 503,
  headers: { 'retry-after': '0' },
  body: { request_id: 'r', code: 503, status: 'error', description: 'The service is busy', errors: [] },
};
const limited: Step = {
  status: 429,
  headers: { 'retry-after': '0' },
  body: { request_id: 'r', code: 429, status: 'error', description: 'Too many requests', errors: [] },
};
const someone = [{ identity: 'asha@example.com' }];
const batch = {
  listid: 1,
  notifyemail: 'asha@example.com',
  callbackurl: 'https://hooks.example.com/batches',
  primarykey: 'email',
  data: [{ EMAIL: 'asha@example.com' }],
};

const failureOf = async (call: Promise<unknown>): Promise<RosterError> => {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RosterError);
  return error as RosterError;
};
const keysOf = (received: readonly Received[]) => received.map(({ headers }) => headers['idempotency-key']);

describe('calls that are repeated', () => {
  test.each([
    ['a cut connection', 'cut'],
    ['503', busy],
    ['429', limited],
    ['502 of a proxy', { status: 502, body: '<html>bad gateway</html>' }],
    ['503 of a proxy', { status: 503, body: '<html>no servers</html>' }],
  ] satisfies [string, Step][])('a write is repeated after %s, with the same Idempotency-Key', async (_, step) => {
    await using server = await startScriptedServer(step, step, accepted('one'));
    const roster = createClient({ url: server.url, apiKey: 'key', retries });
    expect((await roster.contacts.create(someone)).requests).toEqual([{ request_id: 'one', first: 0, count: 1 }]);
    expect(server.received).toHaveLength(3);
    expect(new Set(keysOf(server.received)).size).toBe(1);
    expect(keysOf(server.received)[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(server.received.map(({ body }) => body)).size).toBe(1);
  });

  test('two calls have different keys', async () => {
    await using server = await startScriptedServer(accepted('one'));
    const roster = createClient({ url: server.url, apiKey: 'key' });
    await roster.contacts.create(someone);
    await roster.contacts.create(someone);
    expect(new Set(keysOf(server.received)).size).toBe(2);
  });

  test('a search is repeated after a cut connection, without a key', async () => {
    await using server = await startScriptedServer('cut', {
      status: 200,
      body: { request_id: 'r', code: 200, status: 'success', description: '', data: [], next_cursor: null },
    });
    const roster = createClient({ url: server.url, apiKey: 'key', retries });
    expect(await roster.contacts.search().all()).toEqual([]);
    expect(keysOf(server.received)).toEqual([undefined, undefined]);
  });

  test('a delete whose answer was lost succeeds if its repeat returns 404', async () => {
    const gone: Step = {
      status: 404,
      body: { request_id: 'r', code: 404, status: 'error', description: 'There is no list', errors: [] },
    };
    await using server = await startScriptedServer('cut', gone);
    const account = createOperatorClient({ url: server.url, token: 't', retries }).account(1);
    await expect(account.lists.delete(5)).resolves.toBeUndefined();
    await using other = await startScriptedServer(gone);
    const again = createOperatorClient({ url: other.url, token: 't', retries }).account(1);
    expect((await failureOf(again.lists.delete(5))).code).toBe('not_found');
  });

  test('a batch add is repeated while the server is unreachable, but not after a fault', async () => {
    const { status, description: message } = apiErrors.batch_server_not_found;
    await using server = await startScriptedServer(
      { status, body: { message, status } },
      { status: 200, body: { message: 'job', status: 200 } },
    );
    const roster = createClient({ url: server.url, apiKey: 'key', retries });
    expect(await roster.batches.add(batch)).toBe('job');
    expect(server.received).toHaveLength(2);
    expect(keysOf(server.received)[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keysOf(server.received)).size).toBe(1);

    await using away = await startScriptedServer({ status, body: { message, status } });
    const other = createClient({ url: away.url, apiKey: 'key', retries });
    expect(await failureOf(other.batches.add(batch))).toMatchObject({ code: 'unavailable', status: 400, attempts: 4 });

    const fault = apiErrors.batch_list_unknown.description;
    await using refusing = await startScriptedServer({ status: 400, body: { message: fault, status: 400 } });
    const third = createClient({ url: refusing.url, apiKey: 'key', retries });
    expect(await failureOf(third.batches.add(batch))).toMatchObject({ code: 'invalid_request', attempts: 1 });
  });

  test('activities are repeated only if all records have an id', async () => {
    const activity = {
      identity: 'a',
      channel: 'email',
      activity: 'sent',
      occurred_at: '2026-01-31T09:00:00Z',
    } as const;
    await using server = await startScriptedServer('cut', accepted('one'));
    const account = createOperatorClient({ url: server.url, token: 't', retries }).account(1);
    await expect(account.activities.record([{ ...activity, id: '1' }])).resolves.toMatchObject({ count: 1 });
    await using other = await startScriptedServer('cut', accepted('one'));
    const second = createOperatorClient({ url: other.url, token: 't', retries }).account(1);
    expect((await failureOf(second.activities.record([activity, { ...activity, id: '1' }]))).code).toBe('network');
    expect(other.received).toHaveLength(1);
  });
});

describe('calls that are not repeated', () => {
  const unsafe = (url: string) => createOperatorClient({ url, token: 't', retries }).account(1);

  test.each([
    ['a cut connection', 'cut', 'network'],
    ['503', busy, 'unavailable'],
  ] satisfies [string, Step, string][])(
    'a create without an idempotency key is not repeated after %s',
    async (_, step, code) => {
      await using server = await startScriptedServer(step);
      expect((await failureOf(unsafe(server.url).lists.create({ name: 'News' }))).code).toBe(code);
      expect(server.received).toHaveLength(1);
    },
  );

  test('a create without an idempotency key is repeated after 429, because nothing was done', async () => {
    await using server = await startScriptedServer(limited, { status: 201, body: { audience_id: 7 } });
    expect((await unsafe(server.url).lists.create({ name: 'News' })).audience_id).toBe(7);
  });

  test('a search that took too long is not repeated', async () => {
    await using server = await startScriptedServer({
      status: 503,
      body: {
        request_id: 'r',
        code: 503,
        status: 'error',
        description: 'The search took longer than 15 s',
        errors: [],
      },
    });
    const roster = createClient({ url: server.url, apiKey: 'key', retries });
    expect((await failureOf(roster.contacts.count())).code).toBe('search_timeout');
    expect(server.received).toHaveLength(1);
  });

  test('faults and internal errors are not repeated', async () => {
    for (const status of [400, 401, 403, 409, 413, 500]) {
      await using server = await startScriptedServer({ status, body: { description: 'no' } });
      const roster = createClient({ url: server.url, apiKey: 'key', retries });
      const error = await failureOf(roster.contacts.create(someone));
      expect([error.status, error.attempts, server.received.length]).toEqual([status, 1, 1]);
    }
  });

  test('the message of an error lists only the faults that the description does not have', async () => {
    const fault = (field: string) => ({ code: 'required', field, message: 'is required' });
    const description = 'data.contacts is required (and 1 more fault; see errors)';
    const body = { description, errors: [fault('data.contacts'), fault('data.contact_type')] };
    await using server = await startScriptedServer({ status: 400, body });
    const error = await failureOf(createClient({ url: server.url, apiKey: 'key', retries }).contacts.create(someone));
    expect(error.message).toBe(`createContacts: 400 ${description}\n  data.contact_type is required`);
    expect(error.faults).toHaveLength(2);
  });

  test('the message of an error does not repeat refused names that the description has', async () => {
    const faults = ['data[2]: NOPE is not an attribute.', 'data[0]: CITY cannot be deleted.', 'data[1].name: Too odd.'];
    const errors = faults.map((text) => ({
      code: 'not_found',
      field: text.split(': ')[0],
      message: text.split(': ')[1],
    }));
    const description = `${faults[0]} ${faults[1]} (and 1 more fault; see errors)`;
    await using server = await startScriptedServer({ status: 400, body: { description, errors } });
    const error = await failureOf(createClient({ url: server.url, apiKey: 'key', retries }).attributes.delete(['A']));
    expect(error.message).toBe(`deleteAttributes: 400 ${description}\n  ${faults[2]}`);
  });

  test('a call is not repeated more often than the limit', async () => {
    await using server = await startScriptedServer(busy);
    const roster = createClient({ url: server.url, apiKey: 'key', retries });
    const error = await failureOf(roster.contacts.create(someone));
    expect([error.code, error.attempts, server.received.length]).toEqual(['unavailable', 4, 4]);
  });

  test('a call is not repeated if Retry-After is longer than the longest delay', async () => {
    await using server = await startScriptedServer({ status: 429, headers: { 'retry-after': '3600' }, body: {} });
    const error = await failureOf(createClient({ url: server.url, apiKey: 'key', retries }).contacts.create(someone));
    expect([error.code, error.retryAfter, server.received.length]).toEqual(['rate_limited', 3_600_000, 1]);
  });
});

describe('options of the client', () => {
  test('the URL and the credential must be valid', () => {
    const url = 'https://roster.example.com';
    for (const wrong of ['', 'roster.example.com', 'ftp://roster.example.com']) {
      expect(() => createClient({ url: wrong, apiKey: 'key' })).toThrow('url must be');
    }
    for (const wrong of ['', 'a b', 'a\n', undefined as unknown as string]) {
      expect(() => createClient({ url, apiKey: wrong })).toThrow('apiKey must be');
      expect(() => createOperatorClient({ url, token: wrong })).toThrow('token must be');
    }
  });

  test('the operator API also takes an API key, for the operations of its scopes', async () => {
    await using server = await startScriptedServer({ status: 201, body: { audience_id: 7 } });
    const { lists } = createOperatorClient({ url: server.url, apiKey: 'key' }).account(1);
    expect((await lists.create({ name: 'News' })).audience_id).toBe(7);
    expect(server.received[0]!.headers).toMatchObject({ 'api-key': 'key' });
    expect(server.received[0]!.headers.authorization).toBeUndefined();
    const { url } = server;
    expect(() => createOperatorClient({ url, apiKey: undefined as unknown as string })).toThrow('apiKey must be');
    expect(() => createOperatorClient({ url, apiKey: 'key', token: 'token' })).toThrow('not both');
  });

  test('the path of the URL and headers for a proxy are kept', async () => {
    await using server = await startScriptedServer(accepted('one'));
    const roster = createClient({ url: `${server.url}/crm/`, apiKey: 'key', headers: { 'x-proxy': 'yes' } });
    await roster.contacts.create(someone);
    expect(server.received[0]).toMatchObject({ url: '/crm/v5/contact/create' });
    expect(server.received[0]!.headers).toMatchObject({ 'x-proxy': 'yes', 'api-key': 'key' });
  });

  test('values are escaped in the path of a request', async () => {
    await using server = await startScriptedServer({ status: 200, body: {} });
    const account = createOperatorClient({ url: server.url, token: 't' }).account(1);
    await account.requests.get('../lists?x=1');
    expect(server.received[0]!.url).toBe('/admin/v1/accounts/1/requests/..%2Flists%3Fx%3D1');
    await expect(account.requests.get('')).rejects.toThrow('request_id is missing');
  });
});

describe('timeouts and abort signals', () => {
  test('a silent server is a timeout, and a write is repeated after it', async () => {
    await using server = await startScriptedServer('silence', accepted('one'));
    const roster = createClient({ url: server.url, apiKey: 'key', retries, timeout: 500 });
    await expect(roster.contacts.create(someone)).resolves.toMatchObject({ count: 1 });
    await using silent = await startScriptedServer('silence');
    const other = createClient({ url: silent.url, apiKey: 'key', retries: { limit: 0 }, timeout: 100 });
    expect((await failureOf(other.contacts.create(someone))).code).toBe('timeout');
  });

  test('an abort signal ends a call with its reason, during a request or a delay', async () => {
    await using silent = await startScriptedServer('silence');
    const controller = new AbortController();
    const roster = createClient({ url: silent.url, apiKey: 'key', signal: controller.signal });
    const call = roster.contacts.create(someone);
    setTimeout(() => controller.abort(new Error('enough')), 30);
    await expect(call).rejects.toThrow('enough');
    await expect(roster.contacts.create(someone)).rejects.toThrow('enough');
    await using waiting = await startScriptedServer({ status: 429, headers: { 'retry-after': '50' }, body: {} });
    const other = createClient({ url: waiting.url, apiKey: 'key' });
    const signal = AbortSignal.timeout(30);
    await expect(other.contacts.create(someone, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('the signal of the client ends a stream that connects again', async () => {
    await using server = await startScriptedServer('cut');
    const signal = AbortSignal.timeout(200);
    const operator = createOperatorClient({ url: server.url, token: 'token', retries, signal });
    const next = operator.account(1).running.follow().next();
    await expect(next).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(server.received.length).toBeGreaterThan(1);
  });
});

describe('delays between repeats', () => {
  const error = (retryAfter?: number) => new RosterError('unavailable', '', { operation: 'o', retryAfter });

  test('delays double up to the limit, and each has a random part', () => {
    const delays = [1, 2, 3, 4].map((repeat) =>
      delayOf(error(), repeat, { ...defaultRetries, maxDelay: 1000 }, () => 1),
    );
    expect(delays).toEqual([300, 600, 1000, 1000]);
    expect(delayOf(error(), 1, defaultRetries, () => 0)).toBe(150);
    expect(delayOf(error(), 5, defaultRetries)).toBeUndefined();
  });

  test('a delay is added to Retry-After', () => {
    expect(delayOf(error(2000), 1, defaultRetries, () => 1)).toBe(2300);
    expect(delayOf(error(61_000), 1, defaultRetries)).toBeUndefined();
  });

  test('Retry-After can be a number of seconds or a date', () => {
    const read = (text: string) =>
      readRetryAfter(new Headers({ 'retry-after': text }), Date.parse('2026-01-31T09:00:00Z'));
    expect(read('12')).toBe(12_000);
    expect(read('Sat, 31 Jan 2026 09:00:07 GMT')).toBe(7000);
    expect(read('Sat, 31 Jan 2026 08:00:00 GMT')).toBe(0);
    expect([read('-1'), read('soon'), read('')]).toEqual([undefined, undefined, undefined]);
  });
});
