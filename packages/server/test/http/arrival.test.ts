import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { limitArrival } from '#platform/http/server/arrival.ts';
import { malformedAnswerer } from '#platform/http/server/malformed.ts';

const arrivalLimit = 120_000;
/** Emits an event when the service begins to read the body of a request. */
const reading = new EventEmitter<{ begun: [IncomingMessage] }>();
const app: FastifyInstance = Fastify({ requestTimeout: 0, clientErrorHandler: malformedAnswerer(() => 'an id') });
app.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage) => {
  reading.emit('begun', payload);
  return text(payload);
});
limitArrival(app);
app.post('/body', (request, reply) => void reply.send(request.body));
app.put('/file', { config: { arrivesSlowly: true } }, (request, reply) => void reply.send(request.body));
await app.listen({ port: 0 });
afterAll(() => app.close());
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

/**
 * Begins a request with a body of ten bytes, sends four of them, and waits until the service reads
 * them.
 */
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

/** Reads all bytes from a connection until the service ends it. */
async function answerOf(socket: Socket): Promise<string> {
  return text(socket);
}

/** Reads the first bytes from a connection that stays open. */
async function firstAnswer(socket: Socket): Promise<string> {
  const [data] = (await once(socket, 'data')) as [Buffer];
  return String(data);
}

describe('a request body', () => {
  test('is refused with 408 as a JSON error when it has not arrived within two minutes, even if bytes keep coming', async () => {
    const { socket, request } = await begin('POST', '/body');
    vi.advanceTimersByTime(arrivalLimit - 1);
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

  test('that is too late is aborted, even when the client keeps the connection open', async () => {
    const { socket, request } = await begin('POST', '/body', { allowHalfOpen: true });
    const aborted = once(request, 'error');
    vi.advanceTimersByTime(arrivalLimit);
    socket.resume();
    expect(await aborted).toMatchObject([{ code: 'ECONNRESET' }]);
    expect(request.socket.destroyed).toBe(true);
    socket.destroy();
  });

  test('is accepted when it arrives just in time, and the time limit of the next body starts again', async () => {
    const { socket } = await begin('POST', '/body');
    vi.advanceTimersByTime(arrivalLimit - 1);
    socket.write('567890');
    expect(await firstAnswer(socket)).toMatch(/^HTTP\/1\.1 200 [^]*1234567890$/);
    vi.advanceTimersByTime(arrivalLimit);
    socket.write('POST /body HTTP/1.1\r\nHost: x\r\nContent-Type: text/x\r\nContent-Length: 2\r\n\r\nab');
    expect(await firstAnswer(socket)).toMatch(/^HTTP\/1\.1 200 [^]*ab$/);
    expect(vi.getTimerCount()).toBe(0);
    socket.destroy();
  });

  test('leaves no timer when its client disconnects', async () => {
    const { socket, request } = await begin('POST', '/body');
    expect(vi.getTimerCount()).toBe(1);
    socket.destroy();
    // The connection closes after the error of the request.
    await once(request.socket, 'close');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('an uploaded file', () => {
  test('may take any time, as long as bytes keep coming', async () => {
    const { socket, request } = await begin('PUT', '/file');
    // The time limit counts from the last byte. No timer counts from the first byte.
    expect([request.socket.timeout, vi.getTimerCount()]).toEqual([arrivalLimit, 0]);
    vi.advanceTimersByTime(100 * arrivalLimit);
    socket.write('567890');
    expect(await firstAnswer(socket)).toMatch(/^HTTP\/1\.1 200 [^]*1234567890$/);
    socket.destroy();
  });

  test('is refused with 408 when no byte comes for two minutes', async () => {
    const { socket, request } = await begin('PUT', '/file');
    // Node emits this event when a connection was idle for its timeout.
    request.socket.emit('timeout');
    expect(await answerOf(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('does not pass its idle time limit on to the next request of the connection', async () => {
    const { socket, request } = await begin('PUT', '/file');
    socket.write('567890');
    await firstAnswer(socket);
    const next = once(reading, 'begun');
    socket.write('POST /body HTTP/1.1\r\nHost: x\r\nContent-Type: text/x\r\nContent-Length: 2\r\n\r\na');
    await next;
    expect(request.socket.timeout).not.toBe(arrivalLimit);
    socket.destroy();
  });
});

test('a request without a body has no time limit for its body', async () => {
  const socket = connect((app.server.address() as AddressInfo).port);
  socket.write('POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
  expect(await firstAnswer(socket)).toMatch(/^HTTP\/1\.1 200 /);
  expect(vi.getTimerCount()).toBe(0);
  socket.destroy();
});
