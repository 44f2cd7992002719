import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseAllowList } from '#platform/config/allow-list.ts';
import { ReceiverConnections } from '#features/callbacks/sending/receiver-connections.ts';
import { send, type Outcome, type SendOptions } from '#features/callbacks/sending/send.ts';
import { until } from '../crash/wait.ts';
import { startRaw, startReceiver, trustReceivers, type Receiver } from './receiver.ts';

beforeAll(trustReceivers);

let connections: ReceiverConnections;
beforeEach(() => {
  connections = new ReceiverConnections();
});
afterEach(async () => connections[Symbol.asyncDispose]());

const here: SendOptions['resolveHost'] = async () => ['127.0.0.1'];

async function sendTo(
  url: string,
  { owner = 'one', ...options }: Partial<SendOptions> & { readonly owner?: string } = {},
): Promise<Outcome> {
  return send(
    { method: 'POST', url, headers: [['webhook-id', 'a']], body: '{"a":1}' },
    {
      allow: parseAllowList('127.0.0.1'),
      plainHttp: true,
      signal: new AbortController().signal,
      resolveHost: here,
      reuse: { connections, owner },
      ...options,
    },
  );
}

const urlOf = ({ port }: Pick<Receiver, 'port'>): string => `http://receiver.test:${port}/`;
const received = { status: 200, error: undefined, address: '127.0.0.1' };

test('requests of one owner to one receiver use one connection, and other owners have their own', async () => {
  await using receiver = await startReceiver();
  for (let n = 0; n < 3; n++) expect(await sendTo(urlOf(receiver))).toMatchObject(received);
  expect(receiver.connections).toBe(1);
  expect(receiver.requests[0]!.headers).toMatchObject({ connection: 'keep-alive' });
  expect(await sendTo(urlOf(receiver), { owner: 'two' })).toMatchObject(received);
  expect([receiver.connections, connections.size]).toEqual([2, 2]);
});

test('requests that are sent at the same time have a connection each, and one of them is kept', async () => {
  await using receiver = await startReceiver();
  const outcomes = await Promise.all([1, 2, 3].map(async () => sendTo(urlOf(receiver))));
  expect(outcomes.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect([receiver.connections, connections.size]).toEqual([3, 1]);
});

test('a kept connection is not used when the host gets a private address', async () => {
  await using receiver = await startReceiver();
  let answer = ['127.0.0.1'];
  const resolveHost = async () => answer;
  expect(await sendTo(urlOf(receiver), { resolveHost })).toMatchObject(received);
  for (answer of [['10.0.0.1'], ['127.0.0.1', '10.0.0.1']]) {
    const outcome = await sendTo(urlOf(receiver), { resolveHost });
    expect(outcome).toMatchObject({ status: undefined, error: { code: 'address_refused' }, address: undefined });
  }
  expect(receiver.requests).toHaveLength(1);
});

test('a kept connection is not used when the host moves to another address', async () => {
  await using old = await startReceiver();
  let answer = ['127.0.0.1'];
  const options = { allow: parseAllowList('127.0.0.0/8'), resolveHost: async () => answer };
  expect(await sendTo(urlOf(old), options)).toMatchObject(received);
  answer = ['127.0.0.2'];
  const moved = await sendTo(urlOf(old), options);
  expect(moved).toMatchObject({ status: undefined, error: { detail: 'ECONNREFUSED' } });
  expect([old.requests.length, connections.size]).toEqual([1, 0]);
});

test('a kept connection is not used when the operator does not allow the host anymore', async () => {
  await using receiver = await startReceiver();
  expect(await sendTo(urlOf(receiver))).toMatchObject(received);
  const outcome = await sendTo(urlOf(receiver), { allow: parseAllowList('') });
  expect(outcome).toMatchObject({ status: undefined, error: { code: 'address_refused' } });
  expect(receiver.requests).toHaveLength(1);
});

test('a connection over TLS is not used for another host name at the same address', async () => {
  await using receiver = await startReceiver(undefined, { secure: true });
  const allow = parseAllowList('127.0.0.0/8');
  for (let n = 0; n < 2; n++) {
    const outcome = await sendTo(`https://hooks.receiver.test:${receiver.port}/`, { allow });
    expect(outcome).toMatchObject(received);
  }
  expect(receiver.connections).toBe(1);
  const other = await sendTo(`https://other.test:${receiver.port}/`, { allow });
  expect(other).toMatchObject({ status: undefined, error: { code: 'tls_failed' } });
  expect([receiver.requests.length, receiver.connections]).toEqual([2, 2]);
});

test('a redirect on a kept connection is not followed', async () => {
  let status = 200;
  await using inside = await startReceiver();
  await using receiver = await startReceiver((response) => {
    response.writeHead(status, { location: urlOf(inside) }).end();
  });
  expect(await sendTo(urlOf(receiver))).toMatchObject(received);
  status = 307;
  expect(await sendTo(urlOf(receiver))).toMatchObject({ status: 307, error: { code: 'redirect' } });
  expect([receiver.connections, inside.connections]).toEqual([1, 0]);
});

test('a request is sent again when the receiver closes the idle connection as it arrives', async () => {
  let answered = 0;
  const seen: string[] = [];
  await using receiver = await startRaw((socket) => {
    // The first request of each connection gets a response. The second one closes the connection.
    socket.on('data', () => socket.destroy());
    answered++;
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  }, seen);
  for (let n = 0; n < 3; n++) expect(await sendTo(urlOf(receiver))).toMatchObject(received);
  expect(answered).toBe(3);
  expect(seen.every((text) => text.includes('webhook-id: a\r\n'))).toBe(true);
});

test('a request on a new connection is not sent again when the receiver closes it', async () => {
  let requests = 0;
  await using receiver = await startRaw((socket) => {
    requests++;
    socket.destroy();
  });
  expect(await sendTo(urlOf(receiver))).toMatchObject({ status: undefined, error: { code: 'connection_failed' } });
  expect(requests).toBe(1);
});

test('a connection that the receiver has closed is replaced, at any moment', async () => {
  await using receiver = await startReceiver();
  for (let n = 0; n < 5; n++) {
    expect(await sendTo(urlOf(receiver))).toMatchObject(received);
    receiver.closeConnections();
    // The connection ends while the next request begins, or before.
    for (let turn = 0; turn < n; turn++) await new Promise(setImmediate);
  }
  expect(receiver.requests.length).toBe(5);
  await until('no idle connection', 5000, async () => connections.size === 0 || undefined);
});

test('a connection is closed when the receiver asks for it with Connection or Keep-Alive', async () => {
  const headers = [{ connection: 'close' }, { 'keep-alive': 'timeout=3' }];
  for (const header of headers) {
    await using receiver = await startRaw((socket) => {
      const [[name, value] = []] = Object.entries(header);
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 0\r\n${name}: ${value}\r\n\r\n`);
    });
    expect(await sendTo(urlOf(receiver))).toMatchObject(received);
    await until('no idle connection', 3000, async () => connections.size === 0 || undefined);
  }
});

test('a second response that nobody asked for is not taken for the response to the next request', async () => {
  let first = true;
  await using receiver = await startRaw((socket) => {
    const answer = (status: string) => `HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`;
    socket.write(first ? answer('200 OK') + answer('201 Created') : answer('204 No Content'));
    first = false;
  });
  expect(await sendTo(urlOf(receiver))).toMatchObject(received);
  expect(await sendTo(urlOf(receiver))).toMatchObject({ status: 204 });
});

test.each([
  ['a failed status', 503, 'no'],
  ['a response that is too long', 200, 'x'.repeat(200_000)],
])('a connection is not kept after %s', async (_what, status, body) => {
  await using receiver = await startReceiver((response) => void response.writeHead(status).end(body));
  expect(await sendTo(urlOf(receiver))).toMatchObject({ status });
  expect(connections.size).toBe(0);
});

test('an aborted request closes its kept connection', async () => {
  const stop = new AbortController();
  let answers = true;
  await using receiver = await startReceiver((response) => {
    if (answers) response.end();
    else stop.abort(new Error('the process stops'));
  });
  expect(await sendTo(urlOf(receiver))).toMatchObject(received);
  answers = false;
  await expect(sendTo(urlOf(receiver), { signal: stop.signal })).rejects.toThrow('the process stops');
  expect(connections.size).toBe(0);
});

test('a process keeps a limited number of idle connections, and closes them at its end', async () => {
  await using receiver = await startReceiver();
  for (let n = 0; n < 70; n++) await sendTo(urlOf(receiver), { owner: `owner ${n}` });
  expect(connections.size).toBe(64);
  await connections[Symbol.asyncDispose]();
  expect(connections.size).toBe(0);
  await until('no open connection', 3000, async () => receiver.openConnections === 0 || undefined);
  expect(await sendTo(urlOf(receiver))).toMatchObject(received);
  expect(connections.size).toBe(0);
});
