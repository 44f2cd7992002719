import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { decodePayload, encodePayload, openPayload } from './payload.ts';

const bytesOf = (length: number) => Buffer.concat([Buffer.from('\n{"\n'), randomBytes(length)]);

test.each([
  ['small', 'json', 10],
  ['large', 'zstd', 5000],
])('a payload that is %s is decoded as it was, with and without bytes', async (_size, codec, length) => {
  const value = { identity: ['a\nb', 'ä', 'x'.repeat(length)], opt_outs: {} };
  for (const one of [value, { ...value, bytes: bytesOf(length) }, { ...value, bytes: Buffer.of() }]) {
    const encoded = await encodePayload(one);
    expect(encoded.codec).toBe(codec);
    expect(await decodePayload(encoded.payload, encoded.codec)).toEqual(one);
    expect((await openPayload(encoded.payload, encoded.codec)).json).toBe(JSON.stringify(value));
  }
});
