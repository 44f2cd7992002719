import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExactJson } from './exact-json.ts';

test.each([
  ['{"a": 12345678901234567890}', { a: '12345678901234567890' }],
  ['{"a":-9007199254740993,"b":[1,\n 9007199254740992]}', { a: '-9007199254740993', b: [1, '9007199254740992'] }],
  ['{"a": 9007199254740991, "b": 1706691600000000}', { a: 9_007_199_254_740_991, b: 1_706_691_600_000_000 }],
  [
    '{"a": "12345678901234567890", "b": ":12345678901234567890"}',
    { a: '12345678901234567890', b: ':12345678901234567890' },
  ],
  ['{"a": {"b": [{"c": 12345678901234567890}]}}', { a: { b: [{ c: '12345678901234567890' }] } }],
  ['{"a": 0.12345678901234567890}', { a: 0.123_456_789_012_345_68 }],
])('parseExactJson(%s) keeps all digits of integers', (text, value) => {
  expect(parseExactJson(text)).toEqual(value);
});

test('parseExactJson keeps the key __proto__, and refuses what is not JSON', () => {
  const parsed = parseExactJson('{"__proto__": 12345678901234567890}') as object;
  expect(Object.entries(parsed)).toEqual([['__proto__', '12345678901234567890']]);
  expect(() => parseExactJson('{"a": 12345678901234567890')).toThrow(SyntaxError);
});

test('parseExactJson keeps the digits of every integer, and reads all other JSON like JSON.parse', () => {
  const integer = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[[\]:,"\\ \d]*$/));
  const other = fc.oneof(text, fc.maxSafeInteger(), fc.dictionary(text, fc.array(text)));
  fc.assert(
    fc.property(integer, other, (given, value) => {
      const json = `{"value": ${JSON.stringify(value)}, "integer": ${given}}`;
      const read = parseExactJson(json) as { value: unknown; integer: string | number };
      expect(BigInt(read.integer)).toBe(given);
      expect(read.value).toEqual((JSON.parse(json) as { value: unknown }).value);
    }),
  );
});
