import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gunzipped, InvalidGzip } from './gzip.ts';

async function read(source: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of gunzipped(source)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const text = 'EMAIL,CITY\n'.repeat(20_000);
const compressed = gzipSync(text);

test('gzip data in pieces of any size is decompressed completely', async () => {
  expect(await read([compressed])).toBe(text);
  expect(await read([...compressed].map((byte) => Buffer.of(byte)))).toBe(text);
});

test.each([
  ['is not gzip', Buffer.from(text)],
  ['ends too early', compressed.subarray(0, -20)],
])('decompression refuses data that %s', async (_what, bytes) => {
  await expect(read([bytes])).rejects.toBeInstanceOf(InvalidGzip);
});

test('decompression throws an error of its source unchanged', async () => {
  async function* source(): AsyncGenerator<Buffer> {
    yield compressed.subarray(0, 20);
    throw new Error('the store is unreachable');
  }
  await expect(read(source())).rejects.toThrow('the store is unreachable');
});
