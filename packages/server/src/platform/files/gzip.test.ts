import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gunzipped, InvalidGzip } from './gzip.ts';

async function read(source: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of gunzipped(source)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const text = 'EMAIL,CITY\n'.repeat(20_000);
const packed = gzipSync(text);

test('data in pieces of any size is decompressed to what it was', async () => {
  expect(await read([packed])).toBe(text);
  expect(await read([...packed].map((byte) => Buffer.of(byte)))).toBe(text);
});

test.each([
  ['is not gzip', Buffer.from(text)],
  ['ends too early', packed.subarray(0, -20)],
])('data that %s is refused', async (_what, bytes) => {
  await expect(read([bytes])).rejects.toBeInstanceOf(InvalidGzip);
});

test('an error of the source is thrown as it is', async () => {
  async function* source(): AsyncGenerator<Buffer> {
    yield packed.subarray(0, 20);
    throw new Error('the store is away');
  }
  await expect(read(source())).rejects.toThrow('the store is away');
});
