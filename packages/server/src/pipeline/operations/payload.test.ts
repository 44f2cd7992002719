import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodePayload, encodePayloadInThread, type EncodedPayload } from './payload.ts';
import type { PayloadPart } from './split-payload.ts';
import { StoredPayload } from './stored-payload.ts';

const stored = ({ payload, codec }: EncodedPayload) => new StoredPayload(payload, codec);

test.each([
  ['small', 'json', 10],
  ['large', 'zstd', 5000],
])('a %s payload is stored as %s and decoded unchanged', async (_size, codec, length) => {
  const value = {
    contacts: [{ identity: 'a\nb' }, { identity: 'ä' }, { identity: randomBytes(length).toString('hex') }],
  };
  for (const encoded of [await encodePayload(value), encodePayloadInThread(value)]) {
    expect(encoded).toMatchObject({ codec, bytes: Buffer.byteLength(JSON.stringify(value)) });
    expect(stored(encoded).whole()).toEqual(value);
    expect(stored(encoded).wholeText()).toBe(JSON.stringify(value));
  }
});

test('each lane finds its items in a payload with parts, and everybody else the whole payload', async () => {
  const item = fc.record({
    name: fc.string({ unit: 'binary', maxLength: 60 }),
    lane: fc.integer({ min: 1, max: 16 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 40 }), async (contacts) => {
      const value = { type: 'identified', contacts };
      const split = () => partsOf(value);
      for (const encoded of [
        await encodePayload(value, split),
        encodePayloadInThread(value, split),
        await encodePayload(encodePayloadInThread(value), split),
      ]) {
        const payload = stored(encoded);
        expect(payload.whole()).toEqual(value);
        expect(JSON.parse(payload.wholeText())).toEqual(value);
        expect(encoded.parts).toEqual(split().map(({ lane, indexes }) => ({ lane, total: indexes.length })));
        for (const [at, part] of split().entries()) {
          expect(payload.part(at + 1)).toEqual(part.payload);
          expect(payload.indexesOf(at + 1)).toEqual(part.indexes);
        }
        expect(() => payload.indexesOf(split().length + 1)).toThrow('has no part');
      }
    }),
  );
});

/** Splits a payload by the lanes of its contacts, in the order of their first contacts. */
function partsOf({ type, contacts }: { type: string; contacts: { lane: number }[] }): PayloadPart[] {
  const indexes = Map.groupBy(contacts.keys(), (index) => contacts[index]!.lane);
  return Array.from(indexes, ([lane, own]) => ({
    lane,
    property: 'contacts',
    indexes: own,
    payload: { type, contacts: own.map((index) => contacts[index]) },
  }));
}

test('a damaged payload throws', async () => {
  const value = { contacts: Array.from({ length: 300 }, (_, lane) => ({ lane: lane % 16 })) };
  const { payload, codec } = await encodePayload(value, () => partsOf({ type: '', ...value }));
  for (const [bytes, form] of [
    [Buffer.alloc(0), 'json'],
    [Buffer.from('{'), 'json'],
    [Buffer.from('nothing'), 'zstd'],
    [payload.subarray(0, -1), codec],
    [payload.subarray(0, 10), codec],
    [Buffer.alloc(0), codec],
  ] as const) {
    expect(() => new StoredPayload(bytes, form).whole()).toThrow(/./);
  }
});
