import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuTime } from '../../../../test/support/cpu-time.ts';
import { repeatedKeys } from './repeated-keys.ts';

test.each([
  ['{"a":1,"a":2}', ['a']],
  ['{"a":1,"\\u0061":2,"a":3}', ['a', 'a']],
  ['{"a":{"b":1},"c":{"b":2},"b":[{"a":1},{"a":2}]}', []],
  ['{"a":[1,{"b":[]},{"b":"x","c":{},"b":{"b":1}}]}', ['a[2].b']],
  ['[[{"a":1},2],[{"a":1 , "b":2,\n"a" : 3}]]', ['[1][0].a']],
  ['{"a":"\\"}{\\\\","b":"{\\"a\\":1,\\"a\\":2}","b":":"}', ['b']],
  ['{"__proto__":1,"constructor":2,"__proto__":3}', ['__proto__']],
  ['{"":1,"":2}', ['']],
  [`{"${'x'.repeat(100)}":1,"${'x'.repeat(100)}":2}`, ['x'.repeat(64)]],
  ['"a"', []],
  ['[]', []],
  ['1', []],
])('repeatedKeys finds in %s the paths %j', (text, paths) => {
  expect(repeatedKeys(text)).toEqual(paths);
});

test('repeatedKeys finds nothing in JSON that was written from values', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom('', '  '), (value, space) => {
      expect(repeatedKeys(JSON.stringify(value, undefined, space))).toEqual([]);
    }),
  );
});

test('repeatedKeys finds a repeated entry of any object', () => {
  const anyObject = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), {
    minKeys: 1,
    maxKeys: 4,
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(anyObject, fc.jsonValue(), (object, sibling) => {
      const entries = Object.entries(object).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
      const text = `{${[...entries, entries[0]].join(',')}}`;
      expect(repeatedKeys(text)).toHaveLength(1);
      expect(repeatedKeys(`[${JSON.stringify(sibling)},${text}]`)).toEqual([expect.stringMatching(/^\[1\]/)]);
    }),
  );
});

test('repeatedKeys is fast for deep nesting, many escapes and many keys', () => {
  const texts = [
    `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`,
    `${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`,
    `"${'\\\\'.repeat(2_000_000)}"`,
    `{${Array.from({ length: 300_000 }, (_, n) => `"${n}":0`).join(',')}}`,
  ];
  const spent = cpuTime(() => {
    for (const text of texts) expect(repeatedKeys(text)).toEqual([]);
  });
  expect(spent).toBeLessThan(5000);
});

test('repeatedKeys stops after 50 paths', () => {
  const repeats = '"a":1,'.repeat(2_000_000);
  const spent = cpuTime(() => {
    expect(repeatedKeys(`{${repeats}"a":1}`)).toEqual(Array.from({ length: 50 }, () => 'a'));
  });
  expect(spent).toBeLessThan(500);
});
