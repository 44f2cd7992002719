import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

const lines: { level: number; msg: string }[] = [];
let service: TestService;
let port: number;
/** The key of an account that may send one request a minute, and has done so. */
let limitedKey: string;
beforeAll(async () => {
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  service = await startTestService({ log, worker: false });
  await service.app.listen({ port: 0 });
  port = (service.app.server.address() as AddressInfo).port;
  const limited = await service.createAccount({ name: 'Limited', settings: { rate_limit: 1 } });
  limitedKey = limited.apiKey;
  await limited.v5('/contact/search', {});
});
beforeEach(() => void lines.splice(0));
afterAll(() => service[Symbol.asyncDispose]());

const create = '/v5/contact/create';
const mebibyte = 1024 * 1024;

/** The first line and the headers of a request with a key; without a Content-Type they are refused before the body. */
const head = (path: string, ...headers: string[]) =>
  [`POST ${path} HTTP/1.1`, `api-key: ${service.first.apiKey}`, ...headers, '', ''].join('\r\n');
const json = 'Content-Type: application/json';
const chunked = 'Transfer-Encoding: chunked';

async function open(): Promise<Socket> {
  const socket = connect(port);
  await once(socket, 'connect');
  return socket;
}

/** Sends text and answers what comes back until the server has nothing more to say. */
async function exchange(text: string): Promise<{ status: number; body: { description: string } }> {
  const socket = await open();
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return { status: Number(answer.split(' ')[1]), body: JSON.parse(answer.split('\r\n\r\n')[1]!) };
}

/** Resolves with the first of some events. */
const next = (socket: Socket, ...events: string[]) =>
  new Promise<void>((resolve) => events.forEach((event) => socket.once(event, () => resolve())));

test('a client that goes away in mid-body is no failure of the service', async () => {
  const [socket, received] = [await open(), once(service.app.server, 'request')];
  socket.write(`${head(create, 'Host: localhost', json, 'Content-Length: 1000')}{"data":`);
  const [request] = await received;
  await expect.poll(() => request.listenerCount('data')).toBeGreaterThan(0);
  socket.resetAndDestroy();
  await expect.poll(() => lines.map((line) => line.msg)).toContain('a client went away before its answer');
  expect(lines.filter(({ level }) => level >= 30)).toEqual([]);
});

describe('every error has its shape', () => {
  test.each([
    ['no Host header', () => head(create, json, 'Content-Length: 2') + '{}', 400, 'it has no Host header'],
    ['an unknown expectation', () => head(create, 'Host: localhost', json, 'Expect: banana'), 417, 'The header Expect'],
    [
      'a method that few know',
      () => `QUERY ${create} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      405,
      'does not accept QUERY',
    ],
    ['an escaped path', () => 'GET /contact/%63reate HTTP/1.1\r\nHost: localhost\r\n\r\n', 405, 'does not accept GET'],
    [
      'a path of the page with a null',
      () => 'GET /docs/static/%00 HTTP/1.1\r\nHost: localhost\r\n\r\n',
      400,
      'not well-formed',
    ],
    [
      'a body for nobody',
      () => head('/nowhere', 'Host: localhost', json, 'Content-Length: 5') + '{"a":',
      404,
      'no operation',
    ],
  ])('%s', async (_name, text, status, description) => {
    const answer = await exchange(text().replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    expect(answer).toMatchObject({ status, body: { status: 'error', code: status, errors: [] } });
    expect(answer.body.description).toContain(description);
  });

  test('a request without a Host header of HTTP/1.0 is as good as any', async () => {
    const text = `${head(create, json, 'Content-Length: 2').replace('HTTP/1.1', 'HTTP/1.0')}{}`;
    expect((await exchange(text)).body.description).toContain('data is required');
  });
});

describe('a body that is refused before it has arrived', () => {
  /** Sends all of a request before it looks at the answer, as many clients do, and answers its status. */
  async function post(first: string, body: Buffer | string): Promise<number> {
    const socket = await open();
    socket.write(first);
    await new Promise<void>((resolve, reject) => {
      socket.write(body, (error) => (error ? reject(error) : resolve()));
      socket.once('error', reject);
    });
    let answer = '';
    // Those that ask for the end of the connection get it.
    for await (const chunk of socket) {
      answer += String(chunk);
      if (!/connection: close/i.test(answer)) break;
    }
    socket.destroy();
    return Number(answer.split(' ')[1]);
  }
  const spaces = (bytes: number) => Buffer.alloc(bytes, ' ');
  const length = (bytes: number) => `Content-Length: ${bytes}`;
  const large = 15 * mebibyte;
  const tooLarge = 16 * mebibyte + 1;
  const chunks = `${mebibyte.toString(16)}\r\n${' '.repeat(mebibyte)}\r\n`.repeat(24);

  test.each([
    ['too large by a byte', 413, () => post(head(create, 'Host: localhost', json, length(tooLarge)), spaces(tooLarge))],
    [
      'too large, of unknown length',
      413,
      () => post(head(create, 'Host: localhost', json, chunked), `${chunks}0\r\n\r\n`),
    ],
    [
      'of nobody',
      401,
      () => post(head(create, 'Host: localhost', json, length(large)).replace(/api-key.*/, 'x: y'), spaces(large)),
    ],
    ['for nothing', 404, () => post(head('/nowhere', 'Host: localhost', json, length(large)), spaces(large))],
    [
      'of another type',
      415,
      () => post(head(create, 'Host: localhost', 'Content-Type: text/plain', length(large)), spaces(large)),
    ],
  ])('%s: the client gets its answer', async (_name, status, send) => {
    expect(await send()).toBe(status);
  });

  describe.each([
    ['asks for the end of the connection', (text: string) => text.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')],
    ['is one of HTTP/1.0', (text: string) => text.replace('HTTP/1.1', 'HTTP/1.0')],
  ])('and %s: the client gets its answer', (_name, change) => {
    const largest = 16 * mebibyte;

    test.each([
      [
        'of nobody',
        401,
        () => head(create, 'Host: localhost', json, length(largest)).replace(/api-key.*/, 'x: y'),
        largest,
      ],
      ['too large', 413, () => head(create, 'Host: localhost', json, length(tooLarge)), tooLarge],
      ['for nothing', 404, () => head('/nowhere', 'Host: localhost', json, length(largest)), largest],
      [
        'of too many requests',
        429,
        () => head(create, 'Host: localhost', json, length(largest)).replace(service.first.apiKey, limitedKey),
        largest,
      ],
    ])('%s', async (_what, status, first, bytes) => {
      expect(await post(change(first()), spaces(bytes))).toBe(status);
    });
  });

  test('is not taken in without end', async () => {
    const [socket, received] = [await open(), once(service.app.server, 'request')];
    socket.on('error', () => undefined).setMaxListeners(0);
    socket.write(head('/nowhere', 'Host: localhost', json, `Content-Length: ${1024 * mebibyte}`));
    const [request] = await received;
    const piece = Buffer.alloc(mebibyte);
    let sent = 0;
    while (!socket.closed && sent < 1024) {
      sent++;
      if (!socket.write(piece)) await next(socket, 'drain', 'close');
    }
    expect(request.socket.bytesRead).toBeGreaterThan(32 * mebibyte);
    expect(request.socket.bytesRead).toBeLessThan(40 * mebibyte);
  });
});
