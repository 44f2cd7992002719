import { randomBytes } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { listExport, startExportService } from './export-service.ts';
import { startS3Server, storeOn } from './s3-server.ts';
import { forFile } from '../support/for-file.ts';

const mebibyte = 1024 * 1024;

const server = await forFile(startS3Server());
const store = await forFile(storeOn(server));
const exports = await forFile(startExportService({ exportFiles: store }));
await exports.account.createContacts([{ identity: 'a@example.com', audience_details: [{ audience_id: 1 }] }]);

/** Writes chunks to a key. Returns the size, and the uploads that were announced with `onBegin`. */
async function write(key: string, chunks: Iterable<Buffer> | AsyncIterable<Buffer>) {
  const begun: string[] = [];
  const size = await store.write(key, {
    contentType: 'text/csv; charset=utf-8',
    fill: (sink: Writable) => pipeline(Readable.from(chunks), sink),
    onBegin: async (unfinished) => {
      begun.push(unfinished);
    },
  });
  return { size, begun };
}

async function read(key: string, range?: { start: number; end: number }): Promise<Buffer | undefined> {
  const content = await store.read(key, range);
  return content === undefined ? undefined : buffer(content);
}

test('fifty clients who do not read their downloads do not keep others from theirs', async () => {
  await write(
    '1/unread.csv',
    Array.from({ length: 8 }, () => randomBytes(mebibyte)),
  );
  const unread = await Promise.all(Array.from({ length: 50 }, () => store.read('1/unread.csv')));
  expect(await read('1/unread.csv', { start: 0, end: 9 })).toHaveLength(10);
  for (const content of unread) content!.destroy();
});

test('a large file is uploaded in parts below the prefix, and can be read as a whole or in part', async () => {
  const content = randomBytes(20 * mebibyte + 5);
  const chunks = Array.from({ length: 21 }, (_, at) => content.subarray(at * mebibyte, (at + 1) * mebibyte));
  const { size, begun } = await write('1/large.csv', chunks);
  expect(size).toBe(content.length);
  expect(begun).toEqual([expect.stringMatching(/^1\/large\.csv \S+$/)]);
  expect(
    server.requests.filter((request) => /^PUT \/exports\/some\/where\/1\/large\.csv +\d$/.test(request)),
  ).toHaveLength(3);
  expect(await server.objects()).toContain('some/where/1/large.csv');
  expect(await server.unfinished()).toEqual([]);
  expect((await read('1/large.csv'))!.equals(content)).toBe(true);
  const start = 8 * mebibyte - 3;
  expect(await read('1/large.csv', { start, end: start + 9 })).toEqual(content.subarray(start, start + 10));
});

test('a small file is written in one request, and a file can be empty', async () => {
  expect(await write('1/small.csv', [Buffer.from('a\r\n')])).toEqual({ size: 3, begun: [] });
  expect((await read('1/small.csv'))!.toString()).toBe('a\r\n');
  expect((await write('1/empty.csv', [])).size).toBe(0);
});

test('content that ends with an error leaves neither a file nor an upload', async () => {
  async function* broken() {
    yield randomBytes(20 * mebibyte);
    throw new Error('the connection is gone');
  }
  await expect(write('1/broken.csv', broken())).rejects.toThrow('the connection is gone');
  expect(await read('1/broken.csv')).toBeUndefined();
  expect(await server.unfinished()).toEqual([]);
});

test('if the server refuses the parts, the source is closed and the error of the server is reported', async () => {
  server.failing = true;
  let taken = 0;
  function* endless() {
    for (; taken < 1000; taken++) yield randomBytes(mebibyte);
  }
  await expect(write('1/refused.csv', endless())).rejects.toMatchObject({ $metadata: { httpStatusCode: 500 } });
  server.failing = false;
  expect(taken).toBeLessThan(100);
  expect(await server.unfinished()).toEqual([]);
});

test('an upload that cannot be recorded is aborted, because it could not be found later', async () => {
  const writing = store.write('1/unnoted.csv', {
    contentType: 'text/csv',
    fill: (sink) => pipeline(Readable.from([randomBytes(20 * mebibyte)]), sink),
    onBegin: async () => Promise.reject(new Error('the export was cancelled')),
  });
  await expect(writing).rejects.toThrow('the export was cancelled');
  expect(await read('1/unnoted.csv')).toBeUndefined();
  expect(await server.unfinished()).toEqual([]);
});

test('the leftovers of a killed process can be removed, even twice', async () => {
  let left = '';
  const never = Promise.withResolvers<void>();
  const writing = store.write('1/left.csv', {
    contentType: 'text/csv',
    fill: async (sink) => {
      sink.write(randomBytes(9 * mebibyte));
      await never.promise;
      sink.destroy(new Error('killed'));
      throw new Error('killed');
    },
    onBegin: async (unfinished) => {
      left = unfinished;
      never.resolve();
    },
  });
  // The parts are on the server before the write fails. A killed process would not even report the
  // failure.
  await expect(writing).rejects.toThrow('killed');
  await store.discard(left);
  await store.discard(left);
  expect(await server.unfinished()).toEqual([]);
});

test('deleting a missing file succeeds', async () => {
  await write('1/deleted.csv', [Buffer.from('x')]);
  await store.delete('1/deleted.csv');
  await store.delete('1/deleted.csv');
  expect(await read('1/deleted.csv')).toBeUndefined();
});

test('an export is written to S3 and served from there, also in ranges', async () => {
  const requestId = await exports.accepted(listExport(1));
  const { file_url } = await exports.ended(requestId);
  const { status, body, headers } = await exports.download(file_url!);
  expect(status).toBe(200);
  expect(body.toString()).toBe('EMAIL,MOBILE\r\na@example.com,\r\n');
  expect(headers['content-length']).toBe(String(body.length));
  const part = await exports.download(file_url!, { range: 'bytes=6-11' });
  expect(part.status).toBe(206);
  expect(part.body.toString()).toBe('MOBILE');
  expect(await server.objects()).toContain(`some/where/1/${requestId}-1.csv`);
});
