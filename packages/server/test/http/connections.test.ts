import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import pino from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const lines: { level: number; msg: string }[] = [];
const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
const service = await forFile(startTestService({ log, worker: false }));
await service.app.listen({ port: 0 });
const port = (service.app.server.address() as AddressInfo).port;
const limited = await service.createAccount({ name: 'Limited', settings: { rate_limit: 1 } });
/** The key of an account that may send one request a minute, and has already sent it. */
const limitedKey = limited.apiKey;
await limited.v5('/contact/search', {});
beforeEach(() => void lines.splice(0));

const create = '/v5/contact/create';
const mebibyte = 1024 * 1024;

/** Returns the request line and the headers of a request with a key. */
const head = (path: string, ...headers: string[]) =>
  [`POST ${path} HTTP/1.1`, `api-key: ${service.first.apiKey}`, ...headers, '', ''].join('\r\n');
const json = 'Content-Type: application/json';
const chunked = 'Transfer-Encoding: chunked';

async function open(): Promise<Socket> {
  const socket = connect(port);
  await once(socket, 'connect');
  return socket;
}

/** Sends a text, and returns the answer after the server has closed the connection. */
async function exchange(text: string): Promise<{ status: number; body: { description: string } }> {
  const socket = await open();
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return { status: Number(answer.split(' ')[1]), body: JSON.parse(answer.split('\r\n\r\n')[1]!) };
}

/** Resolves when the first of some events occurs. */
const next = (socket: Socket, ...events: string[]) =>
  new Promise<void>((resolve) => events.forEach((event) => socket.once(event, () => resolve())));

test('a client that disconnects before the end of its body does not count as a failure of the service', async () => {
  const [socket, received] = [await open(), once(service.app.server, 'request')];
  socket.write(`${head(create, 'Host: localhost', json, 'Content-Length: 1000')}{"data":`);
  const [request] = await received;
  await expect.poll(() => request.listenerCount('data')).toBeGreaterThan(0);
  socket.resetAndDestroy();
  await expect.poll(() => lines.map((line) => line.msg)).toContain('a client disconnected before the response');
  expect(lines.filter(({ level }) => level >= 30)).toEqual([]);
});

describe('an error at the level of HTTP', () => {
  test.each([
    ['a missing Host header', () => head(create, json, 'Content-Length: 2') + '{}', 400, 'it has no Host header'],
    ['an unknown expectation', () => head(create, 'Host: localhost', json, 'Expect: banana'), 417, 'The header Expect'],
    ['an uncommon method', () => `QUERY ${create} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 405, 'does not accept QUERY'],
    [
      'a path with percent-encoded letters',
      () => 'GET /contact/%63reate HTTP/1.1\r\nHost: localhost\r\n\r\n',
      405,
      'does not accept GET',
    ],
    [
      'a path of the documentation with a null character',
      () => 'GET /docs/assets/%00 HTTP/1.1\r\nHost: localhost\r\n\r\n',
      404,
      'page of the documentation',
    ],
    [
      'a body for a path that does not exist',
      () => head('/nowhere', 'Host: localhost', json, 'Content-Length: 5') + '{"a":',
      404,
      'no operation',
    ],
  ])('has the shape of every error after %s', async (_name, text, status, description) => {
    const answer = await exchange(text().replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    expect(answer).toMatchObject({ status, body: { status: 'error', code: status, errors: [] } });
    expect(answer.body.description).toContain(description);
  });

  test('does not occur for an HTTP/1.0 request without a Host header', async () => {
    const text = `${head(create, json, 'Content-Length: 2').replace('HTTP/1.1', 'HTTP/1.0')}{}`;
    expect((await exchange(text)).body.description).toContain('data is required');
  });
});

describe('a body that is refused before it has arrived', () => {
  /** Sends a whole request before it reads the answer, as many clients do. Returns the status. */
  async function post(first: string, body: Buffer | string): Promise<number> {
    const socket = await open();
    socket.write(first);
    await new Promise<void>((resolve, reject) => {
      socket.write(body, (error) => (error ? reject(error) : resolve()));
      socket.once('error', reject);
    });
    let answer = '';
    // If the answer ends the connection, read until the end.
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
    ['one byte too large', 413, () => post(head(create, 'Host: localhost', json, length(tooLarge)), spaces(tooLarge))],
    [
      'too large and of unknown length',
      413,
      () => post(head(create, 'Host: localhost', json, chunked), `${chunks}0\r\n\r\n`),
    ],
    [
      'without an API key',
      401,
      () => post(head(create, 'Host: localhost', json, length(large)).replace(/api-key.*/, 'x: y'), spaces(large)),
    ],
    [
      'for a path that does not exist',
      404,
      () => post(head('/nowhere', 'Host: localhost', json, length(large)), spaces(large)),
    ],
    [
      'with another content type',
      415,
      () => post(head(create, 'Host: localhost', 'Content-Type: text/plain', length(large)), spaces(large)),
    ],
  ])('gets its answer to the client when it is %s', async (_name, status, send) => {
    expect(await send()).toBe(status);
  });

  describe.each([
    ['with Connection: close', (text: string) => text.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')],
    ['of HTTP/1.0', (text: string) => text.replace('HTTP/1.1', 'HTTP/1.0')],
  ])('in a request %s', (_name, change) => {
    const largest = 16 * mebibyte;

    test.each([
      [
        'without an API key',
        401,
        () => head(create, 'Host: localhost', json, length(largest)).replace(/api-key.*/, 'x: y'),
        largest,
      ],
      ['too large', 413, () => head(create, 'Host: localhost', json, length(tooLarge)), tooLarge],
      [
        'for a path that does not exist',
        404,
        () => head('/nowhere', 'Host: localhost', json, length(largest)),
        largest,
      ],
      [
        'over the rate limit',
        429,
        () => head(create, 'Host: localhost', json, length(largest)).replace(service.first.apiKey, limitedKey),
        largest,
      ],
    ])('gets its answer to the client when the request is %s', async (_what, status, first, bytes) => {
      expect(await post(change(first()), spaces(bytes))).toBe(status);
    });
  });

  test('is read only up to a limit', async () => {
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
