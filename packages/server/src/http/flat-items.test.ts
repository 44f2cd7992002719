import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeFlatItems } from './flat-items.ts';

/** What a text is read as, item by item; undefined where that is left to JSON.parse of the whole. */
function readItems(text: string): unknown {
  const data: unknown[] = [];
  try {
    return takeFlatItems(text, (item) => data.push(JSON.parse(item)) > 0) ? { data } : undefined;
  } catch {
    return undefined;
  }
}

const scalar = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ',', 'a', 'ä', '\n') }),
  fc.jsonValue({ maxDepth: 0 }),
);
const items = fc.array(fc.dictionary(fc.string(), scalar, { noNullPrototype: true }), { minLength: 1 });

test('items of scalars are read as JSON.parse reads the whole', () => {
  fc.assert(
    fc.property(items, fc.constantFrom('', ' ', '\n\t'), (data, space) => {
      const text = JSON.stringify({ data }, undefined, space);
      expect(readItems(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('whatever is read item by item, JSON.parse reads as well', () => {
  const edit = fc.tuple(
    fc.nat(),
    fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', ' ', '\u00a0', '{}', 'null'),
  );
  fc.assert(
    fc.property(items, fc.array(edit, { minLength: 1, maxLength: 3 }), (data, edits) => {
      let text = JSON.stringify({ data });
      for (const [place, inserted] of edits) {
        const at = place % text.length;
        text = text.slice(0, at) + inserted + text.slice(inserted === '' ? at + 1 : at);
      }
      const read = readItems(text);
      if (read !== undefined) expect(read).toEqual(JSON.parse(text));
    }),
    { numRuns: 3000 },
  );
});

test.each([
  ['{"data":[]}'],
  ['{"data":{}}'],
  ['{"data":[{"a":[]}]}'],
  ['{"data":[{"a":{}}]}'],
  ['{"data":[{}],"data":[]}'],
  ['{"x":1,"data":[{}]}'],
  ['{"DATA":[{}]}'],
  ['[{"data":[{}]}]'],
  ['{"data":[{},]}'],
  ['{"data":[{}'],
  ['{"data":[{"a'],
  [''],
])('%s is left to JSON.parse of the whole', (text) => {
  expect(readItems(text)).toBeUndefined();
});

test('a body of any length is read without recursion', () => {
  const much = 15 * 1024 * 1024;
  const spaces = ' '.repeat(much);
  expect(readItems(`{"data":[{}${spaces},{}${spaces}]}${spaces}`)).toEqual({ data: [{}, {}] });
  expect(readItems(`${spaces}{"data":[{}${spaces}`)).toBeUndefined();
  expect(readItems(`{"data":[{"a":"${'\\'.repeat(much)}"}]}`)).toEqual({ data: [{ a: '\\'.repeat(much / 2) }] });
  expect(readItems(`{"data":[{"a":"${'\\"'.repeat(much / 2)}"}]}`)).toEqual({ data: [{ a: '"'.repeat(much / 2) }] });
});
