import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { limitLargeAnswers } from '#platform/http/bodies/large-answers.ts';
import { useErrorAnswers } from '#platform/http/errors/errors.ts';
import { v5Error } from '#platform/http/errors/error-envelopes.ts';
import { createLogger } from '#platform/observability/logger.ts';

const mebibyte = 1024 * 1024;
// More than the system buffers for a connection.
const large = 'x'.repeat(24 * mebibyte);

/** Starts an API whose callers name their account in a header. */
async function start(timeout?: number): Promise<FastifyInstance> {
  const app = Fastify();
  onTestFinished(() => app.close());
  useErrorAnswers(app, createLogger({ logLevel: 'silent', logFormat: 'json' }, 'test'));
  limitLargeAnswers(app, { bytes: 64 * mebibyte, ...(timeout === undefined ? {} : { timeout }) });
  app.decorateRequest('credential', null);
  app.decorateRequest('actor', null);
  app.addHook('onRequest', async (request) => {
    request.credential = { accountId: Number(request.headers['account']) } as never;
  });
  app.get('/large', { config: { errorEnvelope: v5Error } }, async () => large);
  app.get('/small', { config: { errorEnvelope: v5Error } }, async () => 'x'.repeat(1000));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app;
}

function portOf(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo).port;
}

/** Asks for an answer and reads only its first bytes. Returns them and the connection. */
async function ask(port: number, account: number, path = '/large'): Promise<{ first: string; socket: Socket }> {
  const socket = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccount: ${account}\r\n\r\n`);
  await once(socket, 'readable');
  return { first: String((socket.read(100) as Buffer | null) ?? ''), socket };
}

/** Reads the rest of an answer until it has all of `large`. */
async function readAll(socket: Socket): Promise<void> {
  let bytes = 0;
  for await (const chunk of socket) {
    bytes += (chunk as Buffer).length;
    if (bytes >= large.length) return;
  }
}

test('an account whose clients do not read gets 503, and other accounts get their answers', async () => {
  const port = portOf(await start());
  const held = await ask(port, 1);
  expect(held.first).toContain('200 OK');
  const refused = await ask(port, 1);
  expect(refused.first).toContain('503 Service Unavailable');
  expect(refused.first).toContain('retry-after: 5');
  expect((await ask(port, 1, '/small')).first).toContain('200 OK');
  for (const account of [2, 3, 4]) expect((await ask(port, account)).first).toContain('200 OK');
  await readAll(held.socket);
  await expect.poll(async () => (await ask(port, 1)).first).toContain('200 OK');
});

test('a connection is closed when its client does not receive a large answer in time', async () => {
  const app = await start(50);
  const connected = once(app.server, 'connection');
  const { first } = await ask(portOf(app), 1);
  expect(first).toContain('200 OK');
  const [connection] = (await connected) as [Socket];
  if (!connection.destroyed) await once(connection, 'close');
  expect((await ask(portOf(app), 1)).first).toContain('200 OK');
});
