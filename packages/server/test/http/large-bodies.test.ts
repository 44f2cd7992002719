import { request as httpRequest, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { largeBody, largeCompressedBody } from '#platform/http/bodies/large-bodies.ts';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';

// Two large bodies at a time, and one of each account.
const service = await forFile(startTestService({ worker: false, config: { largeBodies: 2 } }));
const other = await service.createAccount();
await service.app.listen({ port: 0 });
const port = (service.app.server.address() as AddressInfo).port;

const small = JSON.stringify({ data: { contact_type: 'anonymous', contacts: [{}] } });
const large = small + ' '.repeat(2 * 1024 * 1024);

// More than the size up to which a body is always read.
const sentAtOnce = 1.5 * 1024 * 1024;
const rest = large.slice(sentAtOnce);

/** A contact create request whose body the test sends later. */
interface Sending {
  readonly request: ClientRequest;
  readonly status: Promise<number>;
  readonly headers: Promise<Record<string, unknown>>;
  /** True after the answer has arrived. */
  isAnswered: boolean;
}

/** Begins a contact create with a large body. `how` is the framing of the body. */
function begin({ apiKey }: TestAccount, how: 'content-length' | 'chunked' = 'content-length'): Sending {
  const length = how === 'chunked' ? { 'transfer-encoding': 'chunked' } : { 'content-length': large.length };
  return send('/v5/contact/create', { 'api-key': apiKey, 'content-type': 'application/json', ...length });
}

/** Sends the headers of a POST. */
function send(path: string, headers: Record<string, string | number>): Sending {
  const request = httpRequest({ port, path, method: 'POST', headers, agent: false });
  const response = new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request.once('response', (answer) => resolve(answer.resume()));
    request.once('error', reject);
  });
  const sending: Sending = {
    request,
    status: response.then((answer) => answer.statusCode!),
    headers: response.then((answer) => answer.headers),
    isAnswered: false,
  };
  sending.status.then(
    () => (sending.isAnswered = true),
    () => undefined,
  );
  sending.headers.catch(() => undefined);
  request.flushHeaders();
  return sending;
}

/** Resolves with the next request that the service receives over a connection. */
function nextRequest(): Promise<import('node:http').IncomingMessage> {
  return new Promise((resolve) => service.app.server.once('request', resolve));
}

/**
 * Begins a contact create that takes the slot of its account, because the service reads its body.
 */
async function beginRead(account: TestAccount, how?: Parameters<typeof begin>[1]): Promise<Sending> {
  const received = nextRequest();
  const sending = begin(account, how);
  const request = await received;
  sending.request.write(large.slice(0, sentAtOnce));
  await expect.poll(() => request.socket.bytesRead).toBeGreaterThan(sentAtOnce);
  return sending;
}

describe.each(['content-length', 'chunked'] as const)('while a large body of an account is read (%s)', (how) => {
  test('the next large body of the account waits, and other requests do not', async () => {
    const first = await beginRead(service.first, how);
    const second = begin(service.first, how);
    second.request.end(large);
    expect((await service.first.v5('/contact/create', small)).status).toBe(200);
    const third = begin(other, how);
    third.request.end(large);
    expect(await third.status).toBe(200);
    expect([first.isAnswered, second.isAnswered]).toEqual([false, false]);
    first.request.end(rest);
    expect(await Promise.all([first.status, second.status])).toEqual([200, 200]);
  });

  test('the next large body of the account is read when the client of the first one disconnects', async () => {
    const first = await beginRead(service.first, how);
    const second = begin(service.first, how);
    second.request.end(large);
    first.request.destroy();
    expect(await second.status).toBe(200);
    await expect(first.status).rejects.toThrow('socket hang up');
  });
});

describe.each(['content-length', 'chunked'] as const)('while a possibly large compressed body is read (%s)', (how) => {
  const record = { identity: 'a', channel: 'email', activity: 'sent', occurred_at: '2026-01-31T09:00:00Z' };
  const compressed = gzipSync(JSON.stringify({ data: [record] }) + ' '.repeat(2 * largeBody));

  function beginCompressed(body = compressed, told: typeof how = how): Sending {
    const length = told === 'chunked' ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length };
    return send('/admin/v1/accounts/1/activities', {
      authorization: `Bearer ${testAdminToken}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      ...length,
    });
  }

  async function beginReceived(): Promise<[Sending, import('node:http').IncomingMessage]> {
    const received = nextRequest();
    const sending = beginCompressed();
    return [sending, await received];
  }

  const short = gzipSync(JSON.stringify({ data: [record] }));

  test('the next one waits, and bodies that are not compressed or cannot be large do not', async () => {
    expect(compressed.length).toBeLessThan(20_000);
    expect(compressed.length).toBeGreaterThan(largeCompressedBody);
    expect(short.length).toBeLessThan(largeCompressedBody);
    const [first, firstReceived] = await beginReceived();
    // The first request has the slot, because the service reads its body.
    await expect.poll(() => firstReceived.readableFlowing).toBe(true);
    const [second, secondReceived] = await beginReceived();
    second.request.end(compressed);
    for (let n = 0; n < 10; n++) {
      expect((await service.first.operator('POST', '/activities', { data: [record] })).status).toBe(200);
    }
    const third = beginCompressed(short, 'content-length');
    third.request.end(short);
    expect(await third.status).toBe(200);
    expect([first.isAnswered, secondReceived.readableEnded]).toEqual([false, false]);
    first.request.end(compressed);
    expect(await Promise.all([first.status, second.status])).toEqual([200, 200]);
  });
});

test('a compressed body that needs no slot never decompresses to more than an uncompressed body that needs no slot', () => {
  // Zeros compress best. The second case is four compressed pieces after each other.
  const pieces = [Buffer.alloc(largeBody + 1), Buffer.alloc(Math.ceil(largeBody / 4) + 1)];
  const compressed = pieces.map((piece) => gzipSync(piece, { level: 9, memLevel: 9 }));
  expect(compressed[0]!.length).toBeGreaterThan(largeCompressedBody);
  expect(compressed[1]!.length * 4).toBeGreaterThan(largeCompressedBody);
  expect(compressed[0]!.length).toBeLessThan(largeCompressedBody * 1.1);
});

test('a large body of an operator operation takes the slot of the account in its path', async () => {
  const record = { identity: 'a', channel: 'email', activity: 'sent', occurred_at: '2026-01-31T09:00:00Z' };
  const activities = JSON.stringify({ data: [record] }) + ' '.repeat(2 * largeBody);
  const beginIn = ({ accountId }: TestAccount): Sending =>
    send(`/admin/v1/accounts/${accountId}/activities`, {
      authorization: `Bearer ${testAdminToken}`,
      'content-type': 'application/json',
      'content-length': activities.length,
    });
  const received = nextRequest();
  const first = beginIn(service.first);
  const firstReceived = await received;
  await expect.poll(() => firstReceived.readableFlowing).toBe(true);
  const second = beginIn(other);
  second.request.end(activities);
  expect(await second.status).toBe(200);
  expect(first.isAnswered).toBe(false);
  first.request.end(activities);
  expect(await first.status).toBe(200);
});

test('a large body gets 429 with Retry-After when too many of its account wait', async () => {
  const first = await beginRead(service.first);
  const waiting = Array.from({ length: 101 }, () => begin(service.first));
  const refused = await Promise.any(waiting.map(async (sending) => [await sending.status, await sending.headers]));
  expect(refused).toMatchObject([429, { 'retry-after': '5' }]);
  for (const { request, status } of waiting) {
    status.catch(() => undefined);
    request.destroy();
  }
  first.request.end(rest);
  expect(await first.status).toBe(200);
});

test('a body that is too large is refused without waiting for a slot', async () => {
  const first = await beginRead(service.first);
  const headers = { 'api-key': service.first.apiKey, 'content-type': 'application/json' };
  const tooLarge = await fetch(`http://127.0.0.1:${port}/v5/contact/create`, {
    method: 'POST',
    headers,
    body: Buffer.alloc(17 * 1024 * 1024, ' '),
  });
  expect(tooLarge.status).toBe(413);
  first.request.end(rest);
  expect(await first.status).toBe(200);
});
