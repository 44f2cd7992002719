import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllowList } from '#platform/config/allow-list.ts';
import { send, type Outcome, type SendOptions } from '#features/callbacks/sending/send.ts';
import { closedPort, startRaw, startReceiver, trustReceivers } from './receiver.ts';

beforeAll(trustReceivers);

const never = new AbortController().signal;

/**
 * Resolves names from a table, and records which names were looked up. A list of lists is a
 * different answer for each look-up.
 */
function names(table: Readonly<Record<string, readonly string[] | readonly (readonly string[])[]>>) {
  const asked: string[] = [];
  const resolveHost: SendOptions['resolveHost'] = async (name) => {
    asked.push(name);
    const entry = table[name];
    if (entry === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    const isSequence = Array.isArray(entry[0]);
    return (isSequence ? entry[Math.min(asked.length, entry.length) - 1] : entry) as readonly string[];
  };
  return { asked, resolveHost };
}

async function sendTo(
  url: string,
  { allow = '', ...options }: Partial<Omit<SendOptions, 'allow'>> & { allow?: string } = {},
): Promise<Outcome> {
  return send(
    { method: 'POST', url, headers: [['X-Mine', 'yes']], body: '{"a":"ü"}' },
    { allow: parseAllowList(allow), plainHttp: false, signal: never, ...names({}), ...options },
  );
}

const failure = ({ status, error, address }: Outcome) => ({
  status,
  code: error?.code,
  detail: error?.detail,
  address,
});

describe('the request of a callback', () => {
  test('a request is sent unchanged, and the status of its answer is returned', async () => {
    await using receiver = await startReceiver((response) => void response.writeHead(204).end());
    const outcome = await sendTo(`http://127.0.0.1:${receiver.port}/a/b?c=d%20e#f`, { allow: '127.0.0.1' });
    expect(outcome).toMatchObject({ status: 204, error: undefined, address: '127.0.0.1' });
    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/a/b?c=d%20e', body: '{"a":"ü"}' });
    expect(request!.headers).toEqual({
      host: `127.0.0.1:${receiver.port}`,
      connection: 'close',
      'content-length': '10',
      'x-mine': 'yes',
    });
    expect(request!.rawHeaders).toContain('X-Mine');
  });

  test('a request over TLS uses the host name, and goes to the address that was looked up', async () => {
    await using receiver = await startReceiver(undefined, { secure: true });
    const { asked, resolveHost } = names({ 'hooks.receiver.test': ['127.0.0.1'] });
    const url = `https://HOOKS.receiver.test.:${receiver.port}/`;
    const outcome = await sendTo(url, { allow: '127.0.0.0/8', resolveHost });
    expect(outcome).toMatchObject({ status: 200, error: undefined, address: '127.0.0.1' });
    expect(receiver.requests[0]).toMatchObject({
      servername: 'hooks.receiver.test',
      headers: { host: `hooks.receiver.test:${receiver.port}` },
    });
    // There was one look-up, the one that was checked. The system does not know this name.
    expect(asked).toEqual(['hooks.receiver.test']);
  });

  test('a request over TLS can go to an address without a host name', async () => {
    await using receiver = await startReceiver(undefined, { secure: true });
    expect(await sendTo(`https://127.0.0.1:${receiver.port}/`, { allow: '127.0.0.1' })).toMatchObject({ status: 200 });
    expect(receiver.requests[0]!.servername).toBeUndefined();
  });

  test('a request can go to an IPv6 address', async () => {
    await using receiver = await startReceiver(undefined, { host: '::1' });
    const outcome = await sendTo(`http://[::1]:${receiver.port}/`, { allow: `[::1]:${receiver.port}` });
    expect(outcome).toMatchObject({ status: 200, address: '::1' });
  });

  test('a request goes to the next address of a host if the first one does not answer', async () => {
    await using receiver = await startReceiver();
    const { resolveHost } = names({ 'two.test': ['127.0.0.2', '127.0.0.1'] });
    const outcome = await sendTo(`http://two.test:${receiver.port}/`, { allow: 'two.test', resolveHost });
    expect(outcome).toMatchObject({ status: 200, address: '127.0.0.1' });
  });

  test('a request uses no proxy, even if the environment names one', async () => {
    await using proxy = await startReceiver();
    await using receiver = await startReceiver();
    const variables = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    for (const name of variables) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    try {
      const outcome = await sendTo(`http://127.0.0.1:${receiver.port}/`, { allow: '127.0.0.1' });
      expect(outcome.status).toBe(200);
    } finally {
      for (const name of variables) delete process.env[name];
    }
    expect([proxy.connections, receiver.connections]).toEqual([0, 1]);
  });
});

describe('a callback to a private address', () => {
  let inside: Awaited<ReturnType<typeof startReceiver>>;
  beforeAll(async () => {
    inside = await startReceiver();
  });
  afterAll(async () => {
    expect(inside.connections).toBe(0);
    await inside[Symbol.asyncDispose]();
  });

  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '169.254.169.254',
    'localhost',
    'localhost.',
    'a.localhost',
  ])('no connection is made to the host %s', async (host) => {
    const outcome = await sendTo(`http://${host}:${inside.port}/`, { plainHttp: true });
    expect(failure(outcome)).toMatchObject({ status: undefined, code: 'address_refused', address: undefined });
  });

  test.each([
    ['private', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['mapped', ['::ffff:127.0.0.1']],
    ['with a zone', ['fe80::1%1']],
    ['in an unusual form', ['127.1']],
    ['public and private', ['93.184.216.34', '127.0.0.1']],
    ['public IPv4 and private IPv6', ['93.184.216.34', 'fd00::1']],
  ])('no connection is made if the host name has an address that is %s', async (_what, addresses) => {
    const { resolveHost } = names({ 'rebind.test': addresses });
    const outcome = await sendTo(`http://rebind.test:${inside.port}/`, { plainHttp: true, resolveHost });
    expect(failure(outcome)).toMatchObject({ code: 'address_refused', address: undefined });
  });

  test('no connection is made if the host name gets a private address between two attempts', async () => {
    await using receiver = await startReceiver();
    const { asked, resolveHost } = names({ 'changing.test': [['127.0.0.1'], ['127.0.0.2']] });
    const url = `http://changing.test:${receiver.port}/`;
    const options = { allow: '127.0.0.1', plainHttp: true, resolveHost };
    expect(await sendTo(url, options)).toMatchObject({ status: 200, address: '127.0.0.1' });
    expect(failure(await sendTo(url, options))).toMatchObject({ code: 'address_refused' });
    expect(asked.length).toBe(2);
    expect(receiver.connections).toBe(1);
  });

  test('a redirect to a private address is not followed', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      await using receiver = await startReceiver((response) => {
        response.writeHead(status, { location: `http://127.0.0.1:${inside.port}/` }).end();
      });
      const outcome = await sendTo(`http://127.0.0.1:${receiver.port}/`, { allow: `127.0.0.1:${receiver.port}` });
      expect(failure(outcome)).toMatchObject({ status, code: 'redirect' });
      expect(receiver.connections).toBe(1);
    }
  });

  test('private addresses and plain HTTP are refused unless they are allowed', async () => {
    const { resolveHost } = names({ 'crm.internal': ['10.0.0.1'], 'hooks.test': ['93.184.216.34'] });
    const closed = await sendTo('https://crm.internal/', { resolveHost });
    expect(failure(closed)).toMatchObject({ code: 'address_refused' });
    const plain = await sendTo('http://hooks.test/', { resolveHost });
    expect(failure(plain)).toMatchObject({ code: 'url_refused' });
  });
});

describe('a receiver that misbehaves', () => {
  const allow = '127.0.0.1';

  test('an attempt ends although the answer never ends', async () => {
    await using receiver = await startReceiver((response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
      };
      response.on('drain', more);
      more();
    });
    const began = performance.now();
    expect(await sendTo(`http://127.0.0.1:${receiver.port}/`, { allow })).toMatchObject({
      status: 200,
      error: undefined,
    });
    expect(performance.now() - began).toBeLessThan(2500);
  });

  test('an attempt ends although the answer arrives very slowly', async () => {
    await using receiver = await startReceiver((response) => {
      response.writeHead(200, { 'content-length': '1000000' });
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const began = performance.now();
    expect(await sendTo(`http://127.0.0.1:${receiver.port}/`, { allow })).toMatchObject({
      status: 200,
      error: undefined,
    });
    expect(performance.now() - began).toBeLessThan(2500);
  });

  test('a compressed answer is not decompressed', async () => {
    await using receiver = await startReceiver((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.alloc(100_000));
    });
    expect(await sendTo(`http://127.0.0.1:${receiver.port}/`, { allow })).toMatchObject({ status: 200 });
  });

  test.each([
    [
      'endless headers',
      (write: (text: string) => void) => {
        write('HTTP/1.1 200 OK\r\n');
        for (let line = 0; line < 2000; line++) write(`X-${line}: ${'x'.repeat(20)}\r\n`);
      },
      'invalid_response',
    ],
    [
      'an answer that is not HTTP',
      (write: (text: string) => void) => write('220 mail.example.com ESMTP\r\n'),
      'invalid_response',
    ],
    [
      'two content lengths',
      (write: (text: string) => void) => write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'),
      'invalid_response',
    ],
    [
      'a switch to another protocol',
      (write: (text: string) => void) =>
        write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      'connection_failed',
    ],
  ])('an attempt fails when the receiver sends %s', async (_what, talk, code) => {
    await using receiver = await startRaw((socket) => talk((text) => void socket.write(text)));
    expect(failure(await sendTo(`http://127.0.0.1:${receiver.port}/`, { allow }))).toMatchObject({
      code,
      address: '127.0.0.1',
    });
  });

  test('preliminary answers are skipped, and the final one counts', async () => {
    await using receiver = await startRaw((socket) => {
      socket.write(
        'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 503 No\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n',
      );
    });
    const outcome = await sendTo(`http://127.0.0.1:${receiver.port}/`, { allow });
    expect(outcome).toMatchObject({ status: 503, retryAfter: '7', error: { code: 'bad_status' } });
  });

  test('an attempt fails when the receiver closes the connection', async () => {
    await using receiver = await startRaw((socket) => socket.destroy());
    const outcome = await sendTo(`http://127.0.0.1:${receiver.port}/`, { allow });
    expect(failure(outcome)).toMatchObject({ status: undefined, code: 'connection_failed', address: '127.0.0.1' });
  });

  test('an attempt fails when nothing listens on the port', async () => {
    const outcome = await sendTo(`http://127.0.0.1:${await closedPort()}/`, { allow });
    expect(failure(outcome)).toEqual({
      status: undefined,
      code: 'connection_failed',
      detail: 'ECONNREFUSED',
      address: undefined,
    });
  });

  test('an attempt fails when the host name does not resolve', async () => {
    expect(failure(await sendTo('https://nobody.test/'))).toMatchObject({
      code: 'host_not_found',
      detail: 'ENOTFOUND',
    });
    const { resolveHost } = names({ 'empty.test': [] });
    expect(failure(await sendTo('https://empty.test/', { resolveHost }))).toMatchObject({ code: 'host_not_found' });
  });

  test('an attempt fails when the certificate is for another host name', async () => {
    await using receiver = await startReceiver(undefined, { secure: true });
    const { resolveHost } = names({ 'other.test': ['127.0.0.1'] });
    const outcome = await sendTo(`https://other.test:${receiver.port}/`, { allow: 'other.test', resolveHost });
    expect(failure(outcome)).toMatchObject({
      code: 'tls_failed',
      detail: 'ERR_TLS_CERT_ALTNAME_INVALID',
      address: '127.0.0.1',
    });
    expect(receiver.requests).toEqual([]);
  });

  test('an attempt fails when the receiver does not speak TLS', async () => {
    await using receiver = await startReceiver();
    const outcome = await sendTo(`https://127.0.0.1:${receiver.port}/`, { allow });
    expect(failure(outcome)).toMatchObject({ status: undefined, code: 'tls_failed' });
  });

  test('an attempt times out when the receiver or its name server does not answer', async () => {
    await using receiver = await startReceiver(() => undefined);
    const timeout = 200;
    const silent = await sendTo(`http://127.0.0.1:${receiver.port}/`, { allow, timeout });
    expect(failure(silent)).toMatchObject({ status: undefined, code: 'timeout', address: '127.0.0.1' });

    await using slow = await startRaw((socket) => {
      const drip = setInterval(() => socket.write('H'), 20);
      socket.on('close', () => clearInterval(drip));
      socket.write('HTTP/1.1 200 OK\r\nX: ');
    });
    expect(failure(await sendTo(`http://127.0.0.1:${slow.port}/`, { allow, timeout }))).toMatchObject({
      code: 'timeout',
    });

    const resolveHost = () => new Promise<never>(() => undefined);
    expect(failure(await sendTo('https://lost.test/', { resolveHost, timeout }))).toMatchObject({ code: 'timeout' });
  });

  test('an attempt ends when it is aborted', async () => {
    const cut = new AbortController();
    await using receiver = await startReceiver(() => cut.abort(new Error('the process stops')));
    await expect(sendTo(`http://127.0.0.1:${receiver.port}/`, { allow, signal: cut.signal })).rejects.toThrow(
      'the process stops',
    );
  });
});
