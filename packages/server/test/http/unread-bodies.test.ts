import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, test } from 'vitest';
import { bytesPerSlice, slice } from '#platform/http/bodies/unread-bodies.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const service = await forFile(startTestService({ worker: false }));
await service.app.listen({ port: 0 });
const port = (service.app.server.address() as AddressInfo).port;

const MiB = 1024 * 1024;

/**
 * Sends a body with an unknown API key. Resolves with the status after the whole body was sent and
 * the answer has arrived.
 */
async function sendRefused(bytes: number, agent: Agent, to = port): Promise<number> {
  const headers = { 'api-key': 'rk_unknown', 'content-type': 'application/json', 'content-length': bytes };
  const request = httpRequest({ port: to, path: '/v5/contact/create', method: 'POST', headers, agent });
  const status = new Promise<number>((resolve, reject) => {
    request.once('response', (response) => resolve(response.resume().statusCode!));
    request.once('error', reject);
  });
  await new Promise<void>((resolve) => request.end(Buffer.alloc(bytes, ' '), resolve));
  return status;
}

test('all refused bodies together are read at a limited rate, and their callers get the answer', async () => {
  const sockets: Socket[] = [];
  service.app.server.on('connection', (socket: Socket) => sockets.push(socket));
  const bytesRead = (): number => sockets.reduce((sum, socket) => sum + socket.bytesRead, 0);
  const agent = new Agent({ keepAlive: true });
  const begin = performance.now();
  const send = (): Promise<number[]> => Promise.all([sendRefused(12 * MiB, agent), sendRefused(12 * MiB, agent)]);
  const first = send();
  // The next bodies come while nothing may be read.
  await expect.poll(bytesRead).toBeGreaterThan(2 * MiB);
  const second = send();
  await expect.poll(bytesRead, { timeout: 60_000 }).toBeGreaterThan(24 * MiB);
  const slices = (performance.now() - begin) / slice + 2;
  // Each connection may have read a little more than its share.
  expect(bytesRead()).toBeLessThan(bytesPerSlice * slices + 4 * MiB);
  expect([await first, await second]).toEqual([
    [401, 401],
    [401, 401],
  ]);
  agent.destroy();
});

test('a connection serves the next request after a refused body', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let connections = 0;
  const count = (): void => void connections++;
  service.app.server.on('connection', count);
  expect([await sendRefused(3 * MiB, agent), await sendRefused(3 * MiB, agent)]).toEqual([401, 401]);
  service.app.server.off('connection', count);
  expect(connections).toBe(1);
  agent.destroy();
});

test('a stop closes the idle connection of a refused body after that body was read', async () => {
  await using stopping = await startTestService({ worker: false });
  await stopping.app.listen({ port: 0 });
  const agent = new Agent({ keepAlive: true });
  const accepted = once(stopping.app.server, 'connection') as Promise<[Socket]>;
  const status = sendRefused(12 * MiB, agent, (stopping.app.server.address() as AddressInfo).port);
  const [socket] = await accepted;
  await expect.poll(() => socket.bytesRead).toBeGreaterThan(2 * MiB);
  const closed = once(socket, 'close');
  const stopped = stopping.app.close();
  // The client itself keeps its connections open.
  expect(await status).toBe(401);
  await Promise.all([closed, stopped]);
  agent.destroy();
});
