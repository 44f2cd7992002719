import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode, type Answer, type Packet } from 'dns-packet';
import { expect, onTestFinished, test } from 'vitest';
import { createHostResolver } from '#features/callbacks/destination/resolve-host.ts';

const { signal } = new AbortController();

/** Starts a name server on this machine. It answers with the given records, or not at all. */
async function startNameServer(records: readonly Answer[] | 'silent'): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (message, { address, port }) => {
    if (records !== 'silent') socket.send(encode(answerTo(decode(message), records)), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => closeSocket(socket));
  return `127.0.0.1:${socket.address().port}`;
}

async function closeSocket(socket: Socket): Promise<void> {
  const closed = once(socket, 'close');
  socket.close();
  await closed;
}

const nameError = 3;

function answerTo({ id, questions = [] }: Packet, records: readonly Answer[]): Packet {
  const answers = records.filter(({ name, type }) =>
    questions.some((asked) => asked.name === name && asked.type === type),
  );
  const isKnown = records.some(({ name }) => questions.some((asked) => asked.name === name));
  return { type: 'response', ...(id === undefined ? {} : { id }), flags: isKnown ? 0 : nameError, questions, answers };
}

test('a host name resolves to its IPv4 and IPv6 addresses', async () => {
  const server = await startNameServer([
    { type: 'A', name: 'hooks.test', data: '127.0.0.9' },
    { type: 'AAAA', name: 'hooks.test', data: '::1' },
  ]);
  expect(await createHostResolver([server])('hooks.test', { asSystem: false, signal })).toEqual(['127.0.0.9', '::1']);
});

test('a host name with addresses of one kind only resolves to those', async () => {
  const server = await startNameServer([{ type: 'AAAA', name: 'hooks.test', data: '::1' }]);
  expect(await createHostResolver([server])('hooks.test', { asSystem: false, signal })).toEqual(['::1']);
});

test('resolving a host name that does not exist fails with the error code of the DNS', async () => {
  const server = await startNameServer([]);
  const found = createHostResolver([server])('missing.test', { asSystem: false, signal });
  await expect(found).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('a look-up ends when it is aborted', async () => {
  const given = new AbortController();
  const server = await startNameServer('silent');
  const found = createHostResolver([server])('slow.test', { asSystem: false, signal: given.signal });
  given.abort();
  await expect(found).rejects.toMatchObject({ code: 'ECANCELLED' });
});

test('a host name that an operator has allowed is resolved by the operating system', async () => {
  const server = await startNameServer([]);
  const addresses = await createHostResolver([server])('localhost', { asSystem: true, signal });
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) expect(address).toMatch(/^127\.|^::1$/);
});
