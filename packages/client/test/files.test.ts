import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createOperatorClient, type AccountOperator } from '../src/index.ts';
import { startScriptedServer, type ScriptedServer, type Step } from './scripted-server.ts';

const operator = ({ url }: ScriptedServer, limit = 3): AccountOperator =>
  createOperatorClient({ url, token: 't', retries: { limit, baseDelay: 1, maxDelay: 4 } }).account(1);

describe('a download with the client', () => {
  const content = 'EMAIL\r\nasha@example.com\r\nravi@example.com\r\n';
  const found: Step = {
    status: 200,
    body: {
      status: 'completed',
      error: null,
      file_url: 'https://elsewhere.example.com/files/exports/1/a.csv?expires=1&signature=s',
    },
  };
  const file = (from: number, cutAfter?: number): Step => ({
    status: from === 0 ? 200 : 206,
    headers: { 'content-type': 'text/csv', 'content-length': String(content.length - from), etag: '"a"' },
    body: content.slice(from),
    ...(cutAfter === undefined ? {} : { cutAfter }),
  });

  test('a file is fetched from the URL of the client, whatever the host in the link is', async () => {
    await using server = await startScriptedServer(found, file(0));
    const { stream, size } = await operator(server).exports.open('a');
    expect([await new Response(stream).text(), size]).toEqual([content, content.length]);
    expect(server.received[1]).toMatchObject({ url: '/files/exports/1/a.csv?expires=1&signature=s' });
    expect(server.received[1]!.headers.authorization).toBeUndefined();
  });

  test('opening a download is repeated while the service is busy', async () => {
    const busy: Step = { status: 503, headers: { 'retry-after': '0' }, body: { description: 'busy' } };
    await using server = await startScriptedServer(found, busy, 'cut', file(0));
    const { stream } = await operator(server).exports.open('a');
    expect(await new Response(stream).text()).toBe(content);
    await using other = await startScriptedServer(busy, file(0));
    expect(await new Response(await operator(other).imports.failures('a')).text()).toBe(content);
    await using away = await startScriptedServer(busy);
    await expect(operator(away).imports.failures('a')).rejects.toMatchObject({ code: 'unavailable', attempts: 4 });
  });

  test('a broken download continues where it broke off, as long as it makes progress', async () => {
    await using server = await startScriptedServer(found, file(0, 7), 'cut', file(7, 5), file(12));
    const { stream } = await operator(server).exports.open('a');
    expect(await new Response(stream).text()).toBe(content);
    const ranges = server.received.slice(1).map(({ headers }) => [headers.range, headers['if-range']]);
    expect(ranges).toEqual([
      [undefined, undefined],
      ['bytes=7-', '"a"'],
      ['bytes=7-', '"a"'],
      ['bytes=12-', '"a"'],
    ]);
  });

  test('a download that is cancelled while it waits for bytes sends no further request', async () => {
    const held: Step = { ...(file(0, 7) as object), status: 200, isHeld: true };
    await using server = await startScriptedServer(found, held, file(7));
    const { stream } = await operator(server).exports.open('a');
    const reader = stream.getReader();
    expect((await reader.read()).value).toHaveLength(7);
    const next = reader.read();
    // The stream asks for the next bytes in this turn.
    await setImmediate();
    await reader.cancel();
    expect(await next).toEqual({ done: true, value: undefined });
    // A retry would come after 4 milliseconds at most, and these downloads take longer.
    for (let times = 0; times < 20; times++) {
      await using other = await startScriptedServer(found, file(0));
      const again = await operator(other).exports.open('a');
      expect(await new Response(again.stream).text()).toBe(content);
    }
    expect(server.received).toHaveLength(2);
  });

  test('a download ends with an error if the file has changed or the service stays unreachable', async () => {
    await using changed = await startScriptedServer(found, file(0, 7), file(0));
    const first = await operator(changed).exports.open('a');
    await expect(new Response(first.stream).text()).rejects.toMatchObject({ code: 'invalid_answer' });
    await using away = await startScriptedServer(found, file(0, 7), 'cut');
    const second = await operator(away).exports.open('a');
    await expect(new Response(second.stream).text()).rejects.toMatchObject({ code: 'network' });
    expect(away.received).toHaveLength(5);
  });

  test('opening an export without a file is an error', async () => {
    await using server = await startScriptedServer({
      status: 200,
      body: { status: 'failed', error: 'the disk is full', file_url: null },
    });
    await expect(operator(server).exports.open('a')).rejects.toMatchObject({
      code: 'not_finished',
      message: expect.stringContaining('failed: the disk is full') as string,
    });
  });
});

describe('an upload with the client', () => {
  const taken: Step = { status: 200, body: { import_id: 'a', status: 'accepted' } };
  const conflict: Step = {
    status: 409,
    body: { request_id: 'r', code: 409, status: 'error', description: 'The import has its file', errors: [] },
  };
  async function* pieces() {
    yield new TextEncoder().encode('EMAIL\n');
    yield new TextEncoder().encode('asha@example.com\n');
  }

  test('a small file is sent again when the connection breaks, for any kind of source', async () => {
    for (const file of ['EMAIL\nasha@example.com\n', new Blob(['EMAIL\nasha@example.com\n']), pieces, pieces()]) {
      await using server = await startScriptedServer('cut', taken);
      expect((await operator(server).imports.send('a', file)).status).toBe('accepted');
      expect(server.received.map(({ body }) => body)).toEqual(Array(2).fill('EMAIL\nasha@example.com\n'));
      expect(server.received[1]).toMatchObject({ method: 'PUT', url: '/admin/v1/accounts/1/imports/a/file' });
    }
  });

  const megabyte = 1024 * 1024;
  /** 18 MiB in pieces of one MiB, so three parts. */
  async function* large() {
    for (let n = 0; n < 18; n++) yield new Uint8Array(megabyte).fill(97 + n);
  }
  const has = (received_bytes: number): Step => ({
    status: 200,
    body: { import_id: 'a', status: 'awaiting_file', received_bytes },
  });
  const rangesOf = ({ received }: ScriptedServer) =>
    received.filter(({ method }) => method === 'PUT').map(({ headers }) => headers['content-range']);

  test('a large file continues after the last part that arrived', async () => {
    const [first, second] = [has(8 * megabyte), has(16 * megabyte)];
    await using server = await startScriptedServer(first, 'cut', conflict, second, taken);
    expect((await operator(server).imports.send('a', large())).status).toBe('accepted');
    expect(rangesOf(server)).toEqual([
      'bytes 0-8388607/*',
      'bytes 8388608-16777215/*',
      'bytes 8388608-16777215/*',
      'bytes 16777216-18874367/18874368',
    ]);
    const [, cut, , , last] = server.received;
    expect(cut!.headers['content-digest']).toMatch(/^sha-256=:.{44}:$/);
    expect(last!.body).toBe('q'.repeat(megabyte) + 'r'.repeat(megabyte));
  });

  test('with `resume`, an upload continues after the bytes that the import has', async () => {
    await using server = await startScriptedServer(has(16.5 * megabyte), taken);
    await operator(server).imports.send('a', large(), { resume: true });
    expect(rangesOf(server)).toEqual([`bytes ${16.5 * megabyte}-18874367/18874368`]);
    expect(server.received[1]!.body).toBe('q'.repeat(megabyte / 2) + 'r'.repeat(megabyte));
  });

  test('with `resume`, nothing is sent to an import that has its file', async () => {
    for (const status of ['accepted', 'running', 'completed', 'failed']) {
      await using server = await startScriptedServer({
        status: 200,
        body: { import_id: 'a', status, received_bytes: 6 },
      });
      expect((await operator(server).imports.send('a', 'EMAIL\n', { resume: true })).status).toBe(status);
      expect(server.received.map(({ method }) => method)).toEqual(['GET']);
    }
  });

  test('an upload fails if the file is shorter than what the import has, or changes meanwhile', async () => {
    await using server = await startScriptedServer(has(18 * megabyte), taken);
    const { imports } = operator(server);
    await expect(imports.send('a', large(), { resume: true })).rejects.toMatchObject({
      code: 'conflict',
      message: `sendImportFile: The import has ${18 * megabyte} bytes of its file, and this file has ${18 * megabyte}. Send the same file.`,
    });
    for (const size of [8, 17, 19]) {
      await using other = await startScriptedServer(has(8 * megabyte), has(16 * megabyte), taken);
      await expect(operator(other).imports.send('a', large(), { size: size * megabyte })).rejects.toMatchObject({
        code: 'conflict',
        message: `sendImportFile: The file no longer has ${size * megabyte} bytes. Send it when no program writes to it.`,
      });
      expect(rangesOf(other).map((range) => range?.split('/')[1])).toEqual(
        Array(size === 8 ? 0 : 2).fill(String(size * megabyte)),
      );
    }
  });

  test('every part states the size of the file if it is known', async () => {
    const bytes = new Uint8Array(10 * megabyte);
    for (const [file, size] of [[bytes], [new Blob([bytes])], [new Blob([bytes]).stream(), bytes.length]] as const) {
      await using server = await startScriptedServer(has(8 * megabyte), taken);
      await operator(server).imports.send('a', file, { size });
      expect(rangesOf(server)).toEqual(['bytes 0-8388607/10485760', 'bytes 8388608-10485759/10485760']);
    }
  });

  test('an upload succeeds if only its answer was lost', async () => {
    for (const lost of ['cut', { ...taken, cutAfter: 5 }] satisfies Step[]) {
      await using server = await startScriptedServer(lost, conflict, taken);
      expect((await operator(server).imports.send('a', 'EMAIL\n')).status).toBe('accepted');
      expect(server.received.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'GET']);
    }
    await using other = await startScriptedServer(conflict);
    await expect(operator(other).imports.send('a', 'EMAIL\n')).rejects.toMatchObject({ code: 'conflict' });
  });
});
