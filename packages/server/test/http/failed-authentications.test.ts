import { Writable } from 'node:stream';
import pino from 'pino';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ApiError } from '#platform/errors/api-error.ts';
import { createFailedAuthentications } from '#platform/http/authentication/failed-authentications.ts';
import { createMetrics } from '#platform/observability/metrics.ts';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type Answer } from '../support/service.ts';

const lines: string[] = [];
const log = pino(
  { level: 'warn' },
  new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) }),
);

const service = await forFile(startTestService({ worker: false, log }));

/** Sends a request from an address. */
async function from(remoteAddress: string, url: string, headers: Record<string, string>): Promise<Answer> {
  const isRead = url.startsWith('/admin');
  const {
    statusCode,
    headers: answered,
    payload,
  } = await service.app.inject({
    method: isRead ? 'GET' : 'POST',
    url,
    remoteAddress,
    headers: { ...(isRead ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(isRead ? {} : { payload: '{}' }),
  });
  return { status: statusCode, headers: answered, body: JSON.parse(payload) };
}

const search = '/v5/contact/search';
const tryKey = (address: string, key: string) => from(address, search, { 'api-key': key });

/** Sends as many wrong keys as an address may send in a minute. */
async function exhaust(address: string): Promise<void> {
  for (let n = 0; n < 100; n++) expect((await tryKey(address, 'wrong')).status).toBe(401);
}

describe('an address with 100 failed authentications in a minute', () => {
  test('gets 429 with Retry-After, in the error format of each generation, and other addresses do not', async () => {
    await exhaust('192.0.2.1');
    const refusals = [
      await tryKey('192.0.2.1', 'wrong'),
      await from('192.0.2.1', search, {}),
      await from('192.0.2.1', '/v3/contact/batchadd', { 'api-key': 'wrong' }),
      await from('192.0.2.1', '/v4/audience/export', { 'api-key': 'wrong' }),
      await from('192.0.2.1', '/apiv2?apikey=wrong', {}),
      await from('192.0.2.1', '/admin/v1/accounts', { authorization: 'Bearer wrong' }),
    ];
    for (const { status, headers } of refusals) {
      expect(status).toBe(429);
      expect(Number(headers['retry-after'])).toBeGreaterThan(50);
    }
    expect(refusals[2]!.body).toEqual({ status: 429, message: expect.stringContaining('address') });
    expect((await tryKey('192.0.2.2', 'wrong')).status).toBe(401);
    expect((await from('192.0.2.2', '/admin/v1/accounts', { authorization: 'Bearer wrong' })).status).toBe(401);
  });

  test('can still use valid keys and the operator token, even keys that this process has not seen before', async () => {
    expect((await tryKey('192.0.2.3', service.first.apiKey)).status).toBe(200);
    const other = await service.createAccount();
    await exhaust('192.0.2.3');
    expect((await tryKey('192.0.2.3', service.first.apiKey)).status).toBe(200);
    expect((await tryKey('192.0.2.3', other.apiKey)).status).toBe(200);
    const token = { authorization: `Bearer ${testAdminToken}` };
    expect((await from('192.0.2.3', '/admin/v1/accounts', token)).status).toBe(200);
  });

  test('can still use a valid key after a change to its account while another caller guesses keys', async () => {
    const unseen = await service.createAccount();
    const address = '192.0.2.5';
    expect((await tryKey(address, service.first.apiKey)).status).toBe(200);
    await exhaust(address);
    expect((await service.first.operator('POST', '/api-keys', { name: 'another' })).status).toBe(201);
    const guesses = Array.from({ length: 30 }, (_, n) => tryKey(address, `guess ${n}`));
    const good = [
      tryKey(address, service.first.apiKey),
      tryKey(address, unseen.apiKey),
      from(address, '/admin/v1/accounts', { authorization: `Bearer ${testAdminToken}` }),
    ];
    expect((await Promise.all(good)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set((await Promise.all(guesses)).map(({ status }) => status))).toEqual(new Set([429]));
  });

  test('causes few database queries when it guesses many keys', async () => {
    await exhaust('192.0.2.4');
    const spy = vi.spyOn(service.context.pool, 'connect');
    onTestFinished(() => spy.mockRestore());
    const guesses = await Promise.all(Array.from({ length: 300 }, (_, n) => tryKey('192.0.2.4', `guess ${n}`)));
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([429]));
    expect(spy.mock.calls.length).toBeLessThan(30);
  });

  test('counts together with all addresses of its IPv6 /64 network', async () => {
    await exhaust('2001:db8::1');
    expect((await tryKey('2001:db8::ffff:2', 'wrong')).status).toBe(429);
    expect((await tryKey('2001:db8:0:1::2', 'wrong')).status).toBe(401);
  });
});

test('the metrics count failed authentications', async () => {
  const { body } = await service.call('GET', '/metrics');
  expect(body).toMatch(/roster_failed_authentications_total\{credential="api_key",outcome="refused"\} [1-9]/);
  expect(body).toMatch(/roster_failed_authentications_total\{credential="api_key",outcome="limited"\} [1-9]/);
  expect(body).toMatch(/roster_failed_authentications_total\{credential="operator_token",outcome="refused"\} [1-9]/);
});

describe('the log of failed authentications', () => {
  beforeEach(() => {
    lines.length = 0;
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
  });

  test('has one line a minute without addresses, and no line for a minute without failures', async () => {
    let clock = 0;
    const failures = createFailedAuthentications({ log, metrics: createMetrics() }, () => clock);
    const refused = new ApiError('invalid_operator_token', { params: { hint: '' } });
    const fail = (count: number) => {
      for (let n = 0; n < count; n++) failures.fail('192.0.2.9', 'api_key', refused);
    };
    fail(150);
    vi.advanceTimersByTime((clock += 59_999));
    expect(lines).toEqual([]);
    vi.advanceTimersByTime(1);
    clock = 60_000;
    fail(1);
    vi.advanceTimersByTime((clock += 60_000));
    vi.advanceTimersByTime((clock += 600_000));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, failures: 150, limited: 50 },
      { level: 40, failures: 1, limited: 0 },
    ]);
    expect(lines.join('')).not.toContain('192.0.2.9');
  });
});
