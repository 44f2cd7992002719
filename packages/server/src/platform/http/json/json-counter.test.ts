import { expect, test } from 'vitest';
import { JsonCounter, type Excess } from './json-counter.ts';

const limits = { bytes: 1_000_000, values: 10, keys: 3, depth: 4 };

/** Counts a text that arrives in pieces of `pieces` bytes. */
function count(text: string, pieces: number, isLines = false): Excess | number {
  const counter = new JsonCounter(limits, isLines);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieces) {
    const excess = counter.add(bytes.subarray(at, at + pieces));
    if (excess !== undefined) return excess;
  }
  return counter.values;
}

test.each([
  ['1', 1],
  ['[1,2,3]', 4],
  ['{"a":[1,2],"b":{}}', 6],
  [String.raw`{"a\"[{,":"b]}\\","ü[":"\\"}`, 3],
  ['[1,2,3,4,5,6,7,8,9,10]', 'values'],
  ['[{},{},{},{},{},{}]', 'values'],
  ['{"a":1,"b":2,"c":3,"d":4}', 'keys'],
  ['[{"a":1},{"b":2},{"c":3},{"d":4}]', 'keys'],
  ['[{"a":1},{"a":2},{"a":3},{"a":4}]', 9],
  ['{"a":"d","b":"e","c":["f","g"]}', 6],
  ['[[[[1]]]]', 5],
  ['[[[[[1]]]]]', 'depth'],
  ['[[],[],[[[]]]]', 9],
])('the JSON counter returns the number of values or the exceeded limit for %s: %j', (text, expected) => {
  for (const pieces of [1, 2, 3, 1000]) expect(count(text, pieces), `in pieces of ${pieces}`).toBe(expected);
});

test('the JSON counter counts hundreds of different keys exactly, however often they repeat', () => {
  const object = (keys: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, n) => [`key ${n}`, n])));
  const isExceeded = (text: string): boolean => {
    const counter = new JsonCounter({ ...limits, values: 10_000, keys: 500 });
    return counter.add(Buffer.from(text)) === 'keys';
  };
  expect(isExceeded(`[${object(500)},${object(500)},${object(499)}]`)).toBe(false);
  expect(isExceeded(`[${object(500)},${object(501)}]`)).toBe(true);
});

test('the JSON counter counts each line correctly after a broken line', () => {
  expect(count('{"a":"\n{"a":1}\n', 1, true)).toBe(4);
  expect(count('[[[\n[[[', 1, true)).toBe(8);
});

test('the JSON counter ignores closing brackets without an opening one', () => {
  expect(count(']]]]}}}}[1,2]', 1)).toBe(3);
});
