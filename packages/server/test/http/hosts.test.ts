import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { buildUnconnectedApp } from '#app/api/offline.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const service = await forFile(
  startTestService({
    worker: false,
    config: { publicUrl: 'https://Contacts.Example.com/roster', allowedHosts: ['roster.internal', '10.0.0.5'] },
  }),
);
await service.app.listen({ port: 0, host: '127.0.0.1' });
const port = (service.app.server.address() as net.AddressInfo).port;

const statusFor = async (host: string, url = '/openapi.json'): Promise<number> =>
  (await service.call('GET', url, { headers: { host } })).status;

describe('the Host header', () => {
  test.each([
    'contacts.example.com',
    'contacts.example.com:443',
    'CONTACTS.EXAMPLE.COM.',
    'roster.internal:8080',
    'Roster.Internal.',
    '10.0.0.5',
    'localhost:8080',
    'LOCALHOST',
    'localhost.',
    'tenant.localhost',
    '127.0.0.1:1',
    '127.9.9.9',
    '[::1]:8080',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
  ])('may be %s', async (host) => {
    expect(await statusFor(host)).toBe(200);
  });

  test.each([
    'evil.test',
    'evil.test:8080',
    'localhost.evil.test',
    'contacts.example.com.evil.test',
    'notcontacts.example.com',
    '10.0.0.6',
    '[2001:db8::1]',
    'evil.test@localhost',
    'localhost@evil.test',
    'localhost/evil.test',
    'localhost:8080:80',
    'localhost, evil.test',
    '*',
    ' ',
    `${'x'.repeat(64)}.test`,
  ])('is refused if it is %j', async (host) => {
    expect(await statusFor(host)).toBe(421);
  });

  test('is named in the refusal, with the settings that allow it, before the API key is checked', async () => {
    const answer = await service.first.v5('/contact/search', {}, { host: 'evil.test' });
    expect(answer).toMatchObject({
      status: 421,
      body: {
        code: 421,
        status: 'error',
        description: expect.stringMatching(/evil\.test\..*ROSTER_PUBLIC_URL or ROSTER_ALLOWED_HOSTS/),
      },
    });
    expect((await service.call('GET', '/nowhere', { headers: { host: 'evil.test' } })).status).toBe(421);
  });

  test('may be any IP address on /healthz, /readyz and /metrics, but not a foreign name', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect([path, await statusFor('192.0.2.7:8080', path)]).toEqual([path, 200]);
      expect([path, await statusFor('[2001:db8::7]:8080', path)]).toEqual([path, 200]);
      expect([path, await statusFor('evil.test', path)]).toEqual([path, 421]);
    }
  });

  test('is refused if it or the URL of the request line names a foreign host', async () => {
    const send = async (head: string): Promise<string> => {
      const socket = net.connect(port, '127.0.0.1');
      socket.end(`${head}\r\nconnection: close\r\n\r\n`);
      let answer = '';
      for await (const chunk of socket) answer += String(chunk);
      return answer.slice(0, 12);
    };
    expect(await send('GET http://evil.test/healthz HTTP/1.1\r\nhost: localhost')).toBe('HTTP/1.1 421');
    expect(await send('GET /healthz HTTP/1.1\r\nhost: evil.test')).toBe('HTTP/1.1 421');
    expect(await send('GET /healthz HTTP/1.1\r\nhost: localhost')).toBe('HTTP/1.1 200');
    // Browsers always send a host, so HTTP/1.0 without one is allowed.
    expect(await send('GET /healthz HTTP/1.0')).toBe('HTTP/1.1 200');
    expect(await send('GET /healthz HTTP/1.1')).toBe('HTTP/1.1 400');
  });

  test('may be any name if the allowed hosts are *', async () => {
    const app = await buildUnconnectedApp({ allowedHosts: ['*'] });
    expect((await app.inject({ url: '/openapi.json', headers: { host: 'evil.test' } })).statusCode).toBe(200);
    await app.close();
  });
});

describe('the headers of every response', () => {
  const expected = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };
  const body = { data: { contact_type: 'anonymous', contacts: [{}] } };

  test('include the request id, nosniff and no-store, on successes and on refusals of every kind', async () => {
    const created = await service.first.v5('/contact/create', body);
    expect(created.headers).toMatchObject({ ...expected, 'x-request-id': created.body.request_id });
    const refusals = [
      await service.call('POST', '/v5/contact/create', { body }),
      await service.first.v5('/contact/create', { data: 1 }),
      await service.first.v5('/nowhere', {}),
      await service.call('PUT', '/v5/contact/create'),
      await service.operator('GET', '/accounts/99'),
      await service.call('GET', '/%zz'),
    ];
    for (const { headers, body: refused } of refusals) {
      expect(headers).toMatchObject({ ...expected, 'x-request-id': refused.request_id });
    }
    for (const path of ['/healthz', '/metrics', '/verify/none']) {
      const { headers } = await service.call('GET', path);
      expect(headers).toMatchObject({ ...expected, 'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/) });
    }
  });

  test('have the request id of the service even if the client sends another one', async () => {
    const answer = await service.first.v5('/contact/search', {}, { 'x-request-id': 'mine' });
    expect(answer.headers['x-request-id']).toBe(answer.body.request_id);
  });
});
