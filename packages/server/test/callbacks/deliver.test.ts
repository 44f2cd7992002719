import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDelivery } from '#features/callbacks/deliveries.ts';
import { deliveryWindow } from '#features/callbacks/sending/schedule.ts';
import { userAgent } from '#features/callbacks/sending/send.ts';
import { forFile } from '../support/for-file.ts';
import { verify } from '../support/standard-webhooks.ts';
import { closedPort, startReceiver, trustReceivers, type Receiver } from './receiver.ts';
import {
  waitForAttempts,
  callback,
  deliver,
  waitForDelivery,
  deleteDeliveries,
  skipPause,
  useLongPauses,
  startDeliveryService,
} from './support.ts';

let stack: AsyncDisposableStack;
let clockOffset = 0;

trustReceivers();
const service = await forFile(startDeliveryService({ now: () => new Date(Date.now() + clockOffset) }));
beforeEach(() => {
  clockOffset = 0;
  stack = new AsyncDisposableStack();
});
afterEach(async () => {
  await stack.disposeAsync();
  await deleteDeliveries(service.context);
});

async function receive(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
  return stack.use(await startReceiver(...args));
}

const standardHeaders = {
  'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
  'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
};

const startJobs = () => stack.use(service.startJobs());

describe('a callback', () => {
  test('a callback has the headers of the caller, our headers, and a signature of its body', async () => {
    const receiver = await receive(undefined, { secure: true });
    startJobs();
    const headers = [
      { name: 'Authorization', value: 'Bearer secret' },
      { name: 'X-Empty', value: '' },
    ];
    const deliveryId = await deliver(service.context, `https://receiver.test:${receiver.port}/hook?a=1`, {
      headers,
      method: 'PUT',
    });
    const [request] = await receiver.reached(1);
    expect(request).toMatchObject({ method: 'PUT', path: '/hook?a=1', body: '{"status":"completed","name":"ü"}' });
    const { 'x-roster-signature': signature, ...others } = request!.headers;
    expect(others).toEqual({
      ...standardHeaders,
      'webhook-id': deliveryId,
      authorization: 'Bearer secret',
      'x-empty': '',
      'content-type': 'application/json',
      'user-agent': userAgent,
      'x-roster-delivery': deliveryId,
      host: `receiver.test:${receiver.port}`,
      connection: 'keep-alive',
      'content-length': '34',
    });
    const { secret } = (await service.first.operator('GET', '/signing-secret')).body;
    const time = /^t=(\d+),v1=[0-9a-f]{64}$/.exec(String(signature))![1]!;
    expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(10);
    const expected = createHmac('sha256', secret).update(`${time}.${request!.body}`).digest('hex');
    expect(signature).toBe(`t=${time},v1=${expected}`);
    expect(verify(secret, request!.body, request!.headers)).toEqual({ status: 'completed', name: 'ü' });
    expect(() => verify(secret, `${request!.body} `, request!.headers)).toThrow('No matching signature');

    const delivered = await waitForDelivery(service.first, deliveryId, ({ status }) => status === 'delivered');
    expect(delivered).toMatchObject({ attempts: 1, next_attempt_at: null, finished_at: expect.any(String) });
    expect(delivered.attempt_log).toMatchObject([{ attempt: 1, status_code: 200, error: null, address: '127.0.0.1' }]);
    expect(delivered.attempt_log[0]!.duration_ms).toBeGreaterThan(0);
  });

  test('the published verifier refuses a wrong secret and an old time, and knows both secrets of a rotation', async () => {
    const receiver = await receive();
    startJobs();
    const account = await service.createAccount();
    const { accountId } = account;
    const { secret: first } = (await account.operator('GET', '/signing-secret')).body;
    clockOffset = -6 * 60_000;
    await deliver(service.context, `http://receiver.test:${receiver.port}/`, { accountId });
    const [old] = await receiver.reached(1);
    expect(() => verify(first, old!.body, old!.headers)).toThrow('Message timestamp too old');
    clockOffset = 0;
    const { secret: second } = (await account.operator('POST', '/signing-secret/rotate')).body;
    await deliver(service.context, `http://receiver.test:${receiver.port}/`, { accountId });
    const [, both] = await receiver.reached(2);
    for (const secret of [first, second]) expect(verify(secret, both!.body, both!.headers)).toBeDefined();
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    expect(() => verify(other, both!.body, both!.headers)).toThrow('No matching signature');
  });

  test('a caller that uses a header of Standard Webhooks gets only its own', async () => {
    const receiver = await receive();
    startJobs();
    const headers = [{ name: 'Webhook-Id', value: 'mine' }];
    await deliver(service.context, `http://receiver.test:${receiver.port}/`, { headers });
    const [request] = await receiver.reached(1);
    expect(request!.headers).toMatchObject({ 'webhook-id': 'mine' });
    expect(request!.headers).not.toHaveProperty('webhook-signature');
  });

  test('a GET callback has its payload in the query and no body, and the signature covers the query', async () => {
    let status = 503;
    const receiver = await receive((response) => void response.writeHead(status).end(), { secure: true });
    startJobs();
    const endpoint = `https://receiver.test:${receiver.port}/hook?token=a%20b&status=mine`;
    const deliveryId = await deliver(service.context, endpoint, {
      method: 'GET',
      headers: [{ name: 'X-Token', value: 'secret' }],
      body: { status: 'completed', row_count: 0, file_url: null, callbackBody: { job: 7, name: "ü & 'x'" } },
    });
    const query =
      'token=a%20b&status=mine&status=completed&row_count=0' +
      '&callbackBody=%7B%22job%22%3A7%2C%22name%22%3A%22%C3%BC%20%26%20%27x%27%22%7D';
    const [first] = await receiver.reached(1);
    expect(first).toMatchObject({ method: 'GET', path: `/hook?${query}`, body: '' });
    const { 'x-roster-signature': signature, ...others } = first!.headers;
    expect(others).toEqual({
      ...standardHeaders,
      'webhook-id': deliveryId,
      'x-token': 'secret',
      'user-agent': userAgent,
      'x-roster-delivery': deliveryId,
      host: `receiver.test:${receiver.port}`,
      connection: 'keep-alive',
    });
    const { secret } = (await service.first.operator('GET', '/signing-secret')).body;
    const time = /^t=(\d+),/.exec(String(signature))![1]!;
    const expected = createHmac('sha256', secret).update(`${time}.${query}`).digest('hex');
    expect(signature).toBe(`t=${time},v1=${expected}`);

    // The next attempt and a replay send the same request.
    status = 204;
    await waitForAttempts(service.first, deliveryId, 1);
    await skipPause(service.context, deliveryId);
    const delivered = await waitForDelivery(service.first, deliveryId, (found) => found.status === 'delivered');
    expect(delivered).toMatchObject({
      method: 'GET',
      url: `https://receiver.test:${receiver.port}/hook?${query}`,
      body: '',
    });
    await service.first.operator('POST', `/deliveries/${deliveryId}/replay`);
    await receiver.reached(3);
    expect(receiver.requests.map(({ path }) => path)).toEqual(Array(3).fill(`/hook?${query}`));
  });

  test('a GET callback truncates a long error, and its URL stays below 8,000 characters', async () => {
    const receiver = await receive();
    startJobs();
    const endpoint = `http://127.0.0.1:${receiver.port}/${'p'.repeat(1900)}`;
    const payload = { error: 'ü😀"'.repeat(2000), callbackBody: { text: 'x'.repeat(3900) } };
    await deliver(service.context, endpoint, { method: 'GET', body: payload });
    const [request] = await receiver.reached(1);
    expect(request!.path.length).toBeLessThan(8000);
    const { error, callbackBody } = Object.fromEntries(new URL(request!.path, endpoint).searchParams);
    expect(error).toMatch(/^(ü😀")+(ü|ü😀)?…$/u);
    expect(JSON.parse(callbackBody!)).toEqual(payload.callbackBody);
  });

  test('the caller can set the content type and the user agent of a callback', async () => {
    const receiver = await receive();
    startJobs();
    const headers = [
      { name: 'content-type', value: 'application/vnd.acme+json' },
      { name: 'USER-AGENT', value: 'acme' },
    ];
    await deliver(service.context, `http://127.0.0.1:${receiver.port}/`, { headers });
    const [request] = await receiver.reached(1);
    expect(request!.headers).toMatchObject({ 'content-type': 'application/vnd.acme+json', 'user-agent': 'acme' });
    expect(request!.rawHeaders.filter((name) => /^(content-type|user-agent)$/i.test(name)).length).toBe(2);
  });

  test('a callback of a transaction that is rolled back is never sent', async () => {
    const receiver = await receive();
    startJobs();
    const url = `http://127.0.0.1:${receiver.port}/`;
    const { context } = service;
    const rolledBack = context.db.transaction().execute(async (trx) => {
      await createDelivery(trx, context, callback(url));
      throw new Error('a change of mind');
    });
    await expect(rolledBack).rejects.toThrow('a change of mind');
    const deliveryId = await deliver(context, url);
    await waitForDelivery(service.first, deliveryId, ({ status }) => status === 'delivered');
    expect(receiver.requests.map(({ headers }) => headers['x-roster-delivery'])).toEqual([deliveryId]);
  });

  test('a failed callback is retried until it arrives, and every attempt is recorded', async () => {
    useLongPauses();
    const answers = [500, 404, 302, 200];
    const receiver = await receive((response) => void response.writeHead(answers[receiver.requests.length - 1]!).end());
    startJobs();
    const deliveryId = await deliver(service.context, `http://127.0.0.1:${receiver.port}/`);
    for (const count of [1, 2, 3]) {
      const failed = await waitForAttempts(service.first, deliveryId, count);
      expect(failed).toMatchObject({ status: 'pending', attempts: count, finished_at: null });
      const wait = Date.parse(failed.next_attempt_at!) - Date.now();
      expect(wait).toBeLessThan(10_000 * 2 ** (count - 1));
      await skipPause(service.context, deliveryId);
    }
    const delivered = await waitForDelivery(service.first, deliveryId, ({ status }) => status === 'delivered');
    expect(delivered.attempt_log.map(({ attempt, status_code, error }) => [attempt, status_code, error?.code])).toEqual(
      [
        [1, 500, 'bad_status'],
        [2, 404, 'bad_status'],
        [3, 302, 'redirect'],
        [4, 200, undefined],
      ],
    );
    const requests = receiver.requests.map(({ headers, body }) => [headers['x-roster-delivery'], body]);
    expect(new Set(requests.map(String)).size).toBe(1);
  });

  test('the next attempt waits as long as the receiver asks', async () => {
    const receiver = await receive((response) => void response.writeHead(429, { 'retry-after': '3000' }).end());
    startJobs();
    const deliveryId = await deliver(service.context, `http://127.0.0.1:${receiver.port}/`);
    const failed = await waitForAttempts(service.first, deliveryId, 1);
    const wait = Date.parse(failed.next_attempt_at!) - Date.now();
    expect(wait).toBeGreaterThan(2_900_000);
    expect(wait).toBeLessThan(3_001_000);
  });

  test('a callback to a closed port reports the error, and is given up after 24 hours', async () => {
    useLongPauses();
    startJobs();
    const deliveryId = await deliver(service.context, `http://127.0.0.1:${await closedPort()}/`);
    const failed = await waitForAttempts(service.first, deliveryId, 1);
    expect(failed.attempt_log).toMatchObject([
      {
        status_code: null,
        address: null,
        error: { code: 'connection_failed', message: expect.stringContaining('(ECONNREFUSED)') },
      },
    ]);
    clockOffset = deliveryWindow;
    await skipPause(service.context, deliveryId);
    const given = await waitForDelivery(service.first, deliveryId, ({ status }) => status !== 'pending');
    expect(given).toMatchObject({ status: 'failed', attempts: 2, next_attempt_at: null });
  });

  test('a callback to a private address is not sent', async () => {
    const receiver = await receive();
    startJobs();
    const { first, context } = service;
    const codeOf = async (url: string) => {
      const { attempt_log } = await waitForAttempts(first, await deliver(context, url), 1);
      return attempt_log[0]!.error!.code;
    };
    expect(await codeOf(`https://inside.example.com:${receiver.port}/`)).toBe('address_refused');
    expect(await codeOf(`https://localhost:${receiver.port}/`)).toBe('address_refused');
    expect(await codeOf('http://public.example.com/')).toBe('url_refused');
    expect(await codeOf('https://public.example.com/')).toBe('host_not_found');
    expect(receiver.connections).toBe(0);
  });
});
