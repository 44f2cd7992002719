import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { describeFailure } from '#app/supervisor/failure.ts';
import { databaseFault } from '#platform/database/connection/database.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { forFile } from '../support/for-file.ts';

const certificates = path.join(import.meta.dirname, '../callbacks/certificates');
const authority = path.join(certificates, 'authority.pem');
const database = await forFile(createEmptyDatabase());

// Another test file of this process can trust the authority.
const trusted = tls.getCACertificates('default');
tls.setDefaultCACertificates(tls.getCACertificates('bundled'));
afterAll(() => tls.setDefaultCACertificates(trusted));

/** Starts a proxy that adds TLS to the server of the tests. Its certificate is for loopback. */
async function startTlsProxy(): Promise<AsyncDisposable & { readonly url: string }> {
  const [key, cert] = await Promise.all(
    ['receiver.key', 'receiver.pem'].map((name) => readFile(path.join(certificates, name))),
  );
  const { hostname, port } = new URL(database.url);
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    // The first message of a client only asks for TLS.
    socket.once('data', () => {
      socket.write('S');
      const client = new tls.TLSSocket(socket, { isServer: true, key: key!, cert: cert! });
      const upstream = net.connect(Number(port), hostname);
      for (const end of [client, upstream]) end.on('error', () => undefined);
      client.pipe(upstream).pipe(client);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(database.url);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as net.AddressInfo).port);
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}

/** Connects once. Returns the error, or undefined. */
async function connect(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  const error: unknown = await client.connect().then(
    () => undefined,
    (failure: unknown) => failure,
  );
  await client.end().catch(() => undefined);
  return error;
}

test('a certificate of a private authority is accepted when the URL names the authority, and otherwise refused with what to do', async () => {
  await using proxy = await startTlsProxy();
  expect(await connect(`${proxy.url}?sslmode=verify-full&sslrootcert=${authority}`)).toBeUndefined();
  const refusal = await connect(`${proxy.url}?sslmode=verify-full`);
  expect(databaseFault(refusal)).toBe('unreachable');
  expect(describeFailure(refusal)).toMatch(/^The database cannot be used: .*\. Add sslrootcert=… to DATABASE_URL,/);
  const otherName = `${proxy.url.replace('127.0.0.1', 'localhost')}?sslmode=verify-full&sslrootcert=${authority}`;
  expect(describeFailure(await connect(otherName))).toContain(
    'Use a host name in DATABASE_URL that is in the certificate of the server.',
  );
});

test('a server without TLS is unreachable for a URL that needs it, and the message says what to do', async () => {
  const refusal = await connect(`${database.url}?sslmode=verify-full`);
  expect(databaseFault(refusal)).toBe('unreachable');
  expect(describeFailure(refusal)).toBe(
    'The database cannot be used: The server does not support SSL connections. Remove sslmode from DATABASE_URL, or turn on ssl on the server.',
  );
});
