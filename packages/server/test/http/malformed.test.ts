import { once } from 'node:events';
import net from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const service = await forFile(startTestService({ worker: false }));
await service.app.listen({ port: 0, host: '127.0.0.1' });
const port = (service.app.server.address() as net.AddressInfo).port;

/** Sends bytes on a connection. Returns the head and the parsed body of the answer. */
async function sendRaw(text: string): Promise<{ head: string; body: Record<string, unknown> }> {
  const answer = await talk(text);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { head, body: JSON.parse(body) as Record<string, unknown> };
}

async function talk(text: string): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  socket.end(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

const errorOf = (code: number, description: RegExp) => ({
  request_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
  code,
  status: 'error',
  description: expect.stringMatching(description),
  errors: [],
});

test.each([
  ['a text that is not HTTP', 'nonsense\r\n\r\n', 400, /not valid HTTP/],
  ['headers of 20 KiB', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431, /16 KiB/],
  ['a URL of 20 KiB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431, /16 KiB/],
  [
    'a path that is not a valid URL',
    'GET /%zz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    400,
    /not a valid URL/,
  ],
])('%s gets an error in the usual JSON format', async (_what, text, code, description) => {
  const { head, body } = await sendRaw(text);
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${code} \\w+`));
  expect(head).toContain('application/json');
  expect(body).toEqual(errorOf(code, description));
  expect(head).toContain(`x-request-id: ${String(body['request_id'])}\r\n`);
  expect(head).toContain('x-content-type-options: nosniff');
});

test('the service closes a connection on which a client sent invalid HTTP, even if the client keeps it open', async () => {
  const accepted = once(service.app.server, 'connection') as Promise<[net.Socket]>;
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const [connection] = await accepted;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  socket.write('nonsense\r\n\r\n');
  await once(socket.resume(), 'end');
  expect(connection.destroyed).toBe(false);
  vi.advanceTimersByTime(5000);
  expect(connection.destroyed).toBe(true);
  socket.destroy();
});

test('a path with an invalid id of any length is 404 with the operator token, and 401 without it', async () => {
  for (const id of ['9'.repeat(300), 'x'.repeat(10_000)]) {
    const answer = await service.operator('GET', `/accounts/${id}`);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual(errorOf(404, /account/));
    expect((await service.call('GET', `/admin/v1/accounts/${id}`)).status).toBe(401);
  }
});

test('a path that is not a valid URL is 400, under every prefix', async () => {
  for (const path of ['/%zz', '/v5/contact/%E0%A4%A', '/admin/v1/accounts/%']) {
    const answer = await service.call('GET', path);
    expect([path, answer.status, answer.body]).toEqual([path, 400, errorOf(400, /not a valid URL/)]);
  }
});

test.each(['-1\r\n', '5\r\nab\r\n', '5\r\nab'])(
  'the process survives an invalid chunked body of an unsupported content type: %j',
  async (body) => {
    const first = 'POST /v5/contact/create HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: text/csv';
    const head = `${first}\r\napi-key: ${service.first.apiKey}\r\ntransfer-encoding: chunked\r\n\r\n`;
    await talk(head + body);
    const operator = `POST /admin/v1/accounts/1/contacts/1/block HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${testAdminToken}`;
    // An error without a listener would make this test run fail.
    await talk(`${operator}\r\ntransfer-encoding: chunked\r\n\r\n${body}`);
    expect((await service.call('GET', '/healthz')).status).toBe(200);
  },
);
