import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endOfFlatObject, takeFlatItems, takeLines, type TakeItem } from './flat-items.ts';

/** What a body is read as, item by item; undefined where that is left to JSON.parse of the whole. */
function readItems(text: string, walk: (body: Buffer, take: TakeItem) => boolean = takeFlatItems): unknown {
  const data: unknown[] = [];
  const take: TakeItem = (body, from) => {
    const end = endOfFlatObject(body, from);
    if (end !== -1) data.push(JSON.parse(body.toString('utf8', from, end)));
    return end;
  };
  try {
    return walk(Buffer.from(text), take) ? { data } : undefined;
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
  ['{"data":[{}{}]}'],
  ['{"data":[{};{}]}'],
  ['{"data":[1]}'],
  [''],
])('%s is left to JSON.parse of the whole', (text) => {
  expect(readItems(text)).toBeUndefined();
});

test('a body of any length is read without recursion', () => {
  const much = 15 * 1024 * 1024;
  const spaces = ' '.repeat(much);
  expect(readItems(`{"data":[{}${spaces},{}${spaces}]}`)).toEqual({ data: [{}, {}] });
  expect(readItems(`{"data":[{}]}${spaces}`)).toBeUndefined();
  expect(readItems(`${spaces}{"data":[{}${spaces}`)).toBeUndefined();
  expect(readItems(`{"data":[{"a":"${'\\'.repeat(much)}"}]}`)).toEqual({ data: [{ a: '\\'.repeat(much / 2) }] });
  expect(readItems(`{"data":[{"a":"${'\\"'.repeat(much / 2)}"}]}`)).toEqual({ data: [{ a: '"'.repeat(much / 2) }] });
});

test('lines of objects are read one by one', () => {
  const lines = fc.array(
    fc.tuple(
      fc.constantFrom('', ' ', '\r', '\n', '\r\n \t'),
      items.map(([item]) => item!),
    ),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(lines, fc.constantFrom('', '\n', '\r\n'), (given, end) => {
      const text = given.map(([space, item]) => `${space}${JSON.stringify(item)}${space}`).join('\n') + end;
      expect(readItems(text, takeLines)).toEqual({ data: given.map(([, item]) => JSON.parse(JSON.stringify(item))) });
    }),
  );
});

test.each([['{}{}'], ['{}\n[]'], ['{}\n1'], ['{"a":1,\n"b":2}'], ['{}\n{"a'], ['{} x'], ['{}\u00a0'], ['{},\n{}']])(
  'lines %j are left to be read as a whole',
  (text) => {
    expect(readItems(text, takeLines)).toBeUndefined();
  },
);
