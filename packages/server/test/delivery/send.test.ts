import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllowList } from '#platform/config/allow-list.ts';
import { send, type Outcome, type SendOptions } from '#features/callbacks/sending/send.ts';
import { closedPort, startRaw, startReceiver, trustReceivers } from './receiver.ts';

beforeAll(trustReceivers);

const never = new AbortController().signal;

/** What names resolve to in these tests; counts the look-ups. */
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

describe('the request', () => {
  test('is sent as it is, and its answer counts', async () => {
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

  test('goes over TLS with the name of the host, to the address that the name has here', async () => {
    await using receiver = await startReceiver(undefined, { secure: true });
    const { asked, resolveHost } = names({ 'hooks.receiver.test': ['127.0.0.1'] });
    const url = `https://HOOKS.receiver.test.:${receiver.port}/`;
    const outcome = await sendTo(url, { allow: '127.0.0.0/8', resolveHost });
    expect(outcome).toMatchObject({ status: 200, error: undefined, address: '127.0.0.1' });
    expect(receiver.requests[0]).toMatchObject({
      servername: 'hooks.receiver.test',
      headers: { host: `hooks.receiver.test:${receiver.port}` },
    });
    // One look-up, which the check saw; this machine knows no such name.
    expect(asked).toEqual(['hooks.receiver.test']);
  });

  test('goes over TLS to an address', async () => {
    await using receiver = await startReceiver(undefined, { secure: true });
    expect(await sendTo(`https://127.0.0.1:${receiver.port}/`, { allow: '127.0.0.1' })).toMatchObject({ status: 200 });
    expect(receiver.requests[0]!.servername).toBeUndefined();
  });

  test('goes to IPv6', async () => {
    await using receiver = await startReceiver(undefined, { host: '::1' });
    const outcome = await sendTo(`http://[::1]:${receiver.port}/`, { allow: `[::1]:${receiver.port}` });
    expect(outcome).toMatchObject({ status: 200, address: '::1' });
  });

  test('goes to the next address of a host when one does not answer', async () => {
    await using receiver = await startReceiver();
    const { resolveHost } = names({ 'two.test': ['127.0.0.2', '127.0.0.1'] });
    const outcome = await sendTo(`http://two.test:${receiver.port}/`, { allow: 'two.test', resolveHost });
    expect(outcome).toMatchObject({ status: 200, address: '127.0.0.1' });
  });

  test('uses no proxy, whatever the environment says', async () => {
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

describe('an address inside', () => {
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
  ])('is not connected to: %s', async (host) => {
    const outcome = await sendTo(`http://${host}:${inside.port}/`, { plainHttp: true });
    expect(failure(outcome)).toMatchObject({ status: undefined, code: 'address_refused', address: undefined });
  });

  test.each([
    ['private', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['mapped', ['::ffff:127.0.0.1']],
    ['with a zone', ['fe80::1%1']],
    ['in a form that nobody uses', ['127.1']],
    ['public and private', ['93.184.216.34', '127.0.0.1']],
    ['public IPv4 and private IPv6', ['93.184.216.34', 'fd00::1']],
  ])('is not connected to when a name has it: %s', async (_what, addresses) => {
    const { resolveHost } = names({ 'rebind.test': addresses });
    const outcome = await sendTo(`http://rebind.test:${inside.port}/`, { plainHttp: true, resolveHost });
    expect(failure(outcome)).toMatchObject({ code: 'address_refused', address: undefined });
  });

  test('is not connected to when the name gets it between two attempts', async () => {
    await using receiver = await startReceiver();
    const { asked, resolveHost } = names({ 'changing.test': [['127.0.0.1'], ['127.0.0.2']] });
    const url = `http://changing.test:${receiver.port}/`;
    const options = { allow: '127.0.0.1', plainHttp: true, resolveHost };
    expect(await sendTo(url, options)).toMatchObject({ status: 200, address: '127.0.0.1' });
    expect(failure(await sendTo(url, options))).toMatchObject({ code: 'address_refused' });
    expect(asked.length).toBe(2);
    expect(receiver.connections).toBe(1);
  });

  test('is not connected to by a redirect', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      await using receiver = await startReceiver((response) => {
        response.writeHead(status, { location: `http://127.0.0.1:${inside.port}/` }).end();
      });
      const outcome = await sendTo(`http://127.0.0.1:${receiver.port}/`, { allow: `127.0.0.1:${receiver.port}` });
      expect(failure(outcome)).toMatchObject({ status, code: 'redirect' });
      expect(receiver.connections).toBe(1);
    }
  });

  test('is not connected to once it is closed again, and plain HTTP only where it is allowed', async () => {
    const { resolveHost } = names({ 'crm.internal': ['10.0.0.1'], 'hooks.test': ['93.184.216.34'] });
    const closed = await sendTo('https://crm.internal/', { resolveHost });
    expect(failure(closed)).toMatchObject({ code: 'address_refused' });
    const plain = await sendTo('http://hooks.test/', { resolveHost });
    expect(failure(plain)).toMatchObject({ code: 'url_refused' });
  });
});

describe('a receiver that misbehaves', () => {
  const allow = '127.0.0.1';

  test('with an answer that has no end is not listened to', async () => {
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

  test('with an answer that comes drop by drop is not waited for', async () => {
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

  test('with a compressed answer that would fill the memory is not unpacked', async () => {
    await using receiver = await startReceiver((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.alloc(100_000));
    });
    expect(await sendTo(`http://127.0.0.1:${receiver.port}/`, { allow })).toMatchObject({ status: 200 });
  });

  test.each([
    [
      'headers without end',
      (write: (text: string) => void) => {
        write('HTTP/1.1 200 OK\r\n');
        for (let line = 0; line < 2000; line++) write(`X-${line}: ${'x'.repeat(20)}\r\n`);
      },
      'invalid_response',
    ],
    [
      'something that is not HTTP',
      (write: (text: string) => void) => write('220 mail.example.com ESMTP\r\n'),
      'invalid_response',
    ],
    [
      'two lengths',
      (write: (text: string) => void) => write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'),
      'invalid_response',
    ],
    [
      'another protocol',
      (write: (text: string) => void) =>
        write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      'connection_failed',
    ],
  ])('with %s', async (_what, talk, code) => {
    await using receiver = await startRaw((socket) => talk((text) => void socket.write(text)));
    expect(failure(await sendTo(`http://127.0.0.1:${receiver.port}/`, { allow }))).toMatchObject({
      code,
      address: '127.0.0.1',
    });
  });

  test('with preliminary answers gets to give the last one', async () => {
    await using receiver = await startRaw((socket) => {
      socket.write(
        'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 503 No\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n',
      );
    });
    const outcome = await sendTo(`http://127.0.0.1:${receiver.port}/`, { allow });
    expect(outcome).toMatchObject({ status: 503, retryAfter: '7', error: { code: 'bad_status' } });
  });

  test('that hangs up', async () => {
    await using receiver = await startRaw((socket) => socket.destroy());
    const outcome = await sendTo(`http://127.0.0.1:${receiver.port}/`, { allow });
    expect(failure(outcome)).toMatchObject({ status: undefined, code: 'connection_failed', address: '127.0.0.1' });
  });

  test('that is not there', async () => {
    const outcome = await sendTo(`http://127.0.0.1:${await closedPort()}/`, { allow });
    expect(failure(outcome)).toEqual({
      status: undefined,
      code: 'connection_failed',
      detail: 'ECONNREFUSED',
      address: undefined,
    });
  });

  test('whose name is not there', async () => {
    expect(failure(await sendTo('https://nobody.test/'))).toMatchObject({
      code: 'host_not_found',
      detail: 'ENOTFOUND',
    });
    const { resolveHost } = names({ 'empty.test': [] });
    expect(failure(await sendTo('https://empty.test/', { resolveHost }))).toMatchObject({ code: 'host_not_found' });
  });

  test('with a certificate for another name', async () => {
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

  test('that speaks no TLS', async () => {
    await using receiver = await startReceiver();
    const outcome = await sendTo(`https://127.0.0.1:${receiver.port}/`, { allow });
    expect(failure(outcome)).toMatchObject({ status: undefined, code: 'tls_failed' });
  });

  test('that does not answer in time, or whose name does not', async () => {
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

  test('is let go of when the attempt is cut off', async () => {
    const cut = new AbortController();
    await using receiver = await startReceiver(() => cut.abort(new Error('the process stops')));
    await expect(sendTo(`http://127.0.0.1:${receiver.port}/`, { allow, signal: cut.signal })).rejects.toThrow(
      'the process stops',
    );
  });
});
