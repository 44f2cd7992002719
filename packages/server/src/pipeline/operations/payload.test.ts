import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { decodePayload, encodePayload, payloadText } from './payload.ts';

test.each([
  ['small', 'json', 10],
  ['large', 'zstd', 5000],
])('a %s payload is stored as %s and decoded unchanged', async (_size, codec, length) => {
  const value = {
    contacts: [{ identity: 'a\nb' }, { identity: 'ä' }, { identity: randomBytes(length).toString('hex') }],
  };
  const encoded = await encodePayload(value);
  expect(encoded.codec).toBe(codec);
  expect(await decodePayload(encoded.payload, encoded.codec)).toEqual(value);
  expect(await payloadText(encoded.payload, encoded.codec)).toBe(JSON.stringify(value));
});
