import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { decodePayload, encodePayload, encodePayloadInThread, payloadText } from './payload.ts';

test.each([
  ['small', 'json', 10],
  ['large', 'zstd', 5000],
])('a %s payload is stored as %s and decoded unchanged', async (_size, codec, length) => {
  const value = {
    contacts: [{ identity: 'a\nb' }, { identity: 'ä' }, { identity: randomBytes(length).toString('hex') }],
  };
  for (const encoded of [await encodePayload(value), encodePayloadInThread(value)]) {
    expect(encoded).toMatchObject({ codec, bytes: Buffer.byteLength(JSON.stringify(value)) });
    expect(decodePayload(encoded.payload, encoded.codec)).toEqual(value);
    expect(payloadText(encoded.payload, encoded.codec)).toBe(JSON.stringify(value));
  }
});
