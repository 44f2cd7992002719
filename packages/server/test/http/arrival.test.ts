import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { limitArrival } from '#platform/http/server/arrival.ts';
import { malformedAnswerer } from '#platform/http/server/malformed.ts';

const patience = 120_000;
/** Tells when the body of a request begins to be read. */
const reading = new EventEmitter<{ begun: [IncomingMessage] }>();
let app: FastifyInstance;
beforeAll(async () => {
  app = Fastify({ requestTimeout: 0, clientErrorHandler: malformedAnswerer(() => 'an id') });
  app.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage) => {
    reading.emit('begun', payload);
    return text(payload);
  });
  limitArrival(app);
  app.post('/body', (request, reply) => void reply.send(request.body));
  app.put('/file', { config: { arrivesSlowly: true } }, (request, reply) => void reply.send(request.body));
  await app.listen({ port: 0 });
});
afterAll(() => app.close());
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

/** Begins a request of ten bytes, sends four of them, and waits until the service reads them. */
async function begin(
  method: string,
  path: string,
  options: Partial<NetConnectOpts> = {},
): Promise<{ socket: Socket; request: IncomingMessage }> {
  const socket = connect({ ...options, port: (app.server.address() as AddressInfo).port });
  const begun = once(reading, 'begun') as Promise<[IncomingMessage]>;
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/x\r\nContent-Length: 10\r\n\r\n1234`);
  const [request] = await begun;
  return { socket, request };
}

/** All that comes back on a connection, until the service ends it. */
async function answerOf(socket: Socket): Promise<string> {
  return text(socket);
}

/** What comes back first, on a connection that stays open. */
async function firstAnswer(socket: Socket): Promise<string> {
  const [data] = (await once(socket, 'data')) as [Buffer];
  return String(data);
}

describe('a body', () => {
  test('that does not arrive within two minutes is 408, in the shape of every error, however it trickles', async () => {
    const { socket, request } = await begin('POST', '/body');
    vi.advanceTimersByTime(patience - 1);
    const trickled = once(request, 'data');
    socket.write('5');
    await trickled;
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    const answer = await answerOf(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toMatch(/connection: close/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ code: 408, status: 'error', errors: [] });
  });

  test('that is too late ends, also when its client keeps the connection', async () => {
    const { socket, request } = await begin('POST', '/body', { allowHalfOpen: true });
    const aborted = once(request, 'error');
    vi.advanceTimersByTime(patience);
    socket.resume();
    expect(await aborted).toMatchObject([{ code: 'ECONNRESET' }]);
    expect(request.socket.destroyed).toBe(true);
    socket.destroy();
  });

  test('that arrives just in time is taken, and the time of the next one begins anew', async () => {
    const { socket } = await begin('POST', '/body');
    vi.advanceTimersByTime(patience - 1);
    socket.write('567890');
    expect(await firstAnswer(socket)).toMatch(/^HTTP\/1\.1 200 [^]*1234567890$/);
    vi.advanceTimersByTime(patience);
    socket.write('POST /body HTTP/1.1\r\nHost: x\r\nContent-Type: text/x\r\nContent-Length: 2\r\n\r\nab');
    expect(await firstAnswer(socket)).toMatch(/^HTTP\/1\.1 200 [^]*ab$/);
    expect(vi.getTimerCount()).toBe(0);
    socket.destroy();
  });

  test('of a client that goes away leaves nothing that waits', async () => {
    const { socket, request } = await begin('POST', '/body');
    expect(vi.getTimerCount()).toBe(1);
    socket.destroy();
    // It says that it was cut off; the connection closes with it.
    await once(request.socket, 'close');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a file', () => {
  test('may take any time, as long as it keeps coming', async () => {
    const { socket, request } = await begin('PUT', '/file');
    // The connection counts from its last byte; nothing counts from the first.
    expect([request.socket.timeout, vi.getTimerCount()]).toEqual([patience, 0]);
    vi.advanceTimersByTime(100 * patience);
    socket.write('567890');
    expect(await firstAnswer(socket)).toMatch(/^HTTP\/1\.1 200 [^]*1234567890$/);
    socket.destroy();
  });

  test('that stops for two minutes is 408', async () => {
    const { socket, request } = await begin('PUT', '/file');
    // As Node tells of a connection on which nothing has come for so long.
    request.socket.emit('timeout');
    expect(await answerOf(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('does not leave its patience to the next request of the connection', async () => {
    const { socket, request } = await begin('PUT', '/file');
    socket.write('567890');
    await firstAnswer(socket);
    const next = once(reading, 'begun');
    socket.write('POST /body HTTP/1.1\r\nHost: x\r\nContent-Type: text/x\r\nContent-Length: 2\r\n\r\na');
    await next;
    expect(request.socket.timeout).not.toBe(patience);
    socket.destroy();
  });
});

test('what has no body has no time to keep', async () => {
  const socket = connect((app.server.address() as AddressInfo).port);
  socket.write('POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
  expect(await firstAnswer(socket)).toMatch(/^HTTP\/1\.1 200 /);
  expect(vi.getTimerCount()).toBe(0);
  socket.destroy();
});
