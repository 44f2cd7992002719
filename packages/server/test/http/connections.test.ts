import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

const patient = { timeout: 10_000 };
const lines: { level: number; msg: string }[] = [];
let service: TestService;
let port: number;
beforeAll(async () => {
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  service = await startTestService({ log, worker: false });
  await service.app.listen({ port: 0 });
  port = (service.app.server.address() as AddressInfo).port;
});
beforeEach(() => void lines.splice(0));
afterAll(() => service[Symbol.asyncDispose]());

/** The head of a create with a body of some length. */
const head = (length: number, more = '') =>
  `POST /v5/contact/create HTTP/1.1\r\nHost: x\r\napi-key: ${service.first.apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`;

async function open(): Promise<Socket> {
  const socket = connect(port);
  await once(socket, 'connect');
  return socket;
}

test('a client that goes away in mid-body is no failure of the service', async () => {
  const [socket, received] = [await open(), once(service.app.server, 'request')];
  socket.write(`${head(1000)}{"data":`);
  const [request] = await received;
  await expect.poll(() => request.listenerCount('data'), patient).toBeGreaterThan(0);
  socket.resetAndDestroy();
  await expect.poll(() => lines.map((line) => line.msg), patient).toContain('a client went away before its answer');
  expect(lines.filter(({ level }) => level >= 30)).toEqual([]);
});
