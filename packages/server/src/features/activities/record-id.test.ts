import { expect, test } from 'vitest';
import { recordId } from './record-id.ts';

test.each([
  ['evt-1', 1_316_913_625_670_133],
  ['evt-12', 1_715_920_739_964_441],
  ['अ', 1_042_493_380_849_673],
  ['😀', 1_513_365_600_983_011],
])('of %s is that of MurmurHash3', (id, number) => {
  expect(recordId(id)).toBe(number);
});

test('of ids that are alike differ', () => {
  const ids = Array.from({ length: 200_000 }, (_, n) => recordId(`evt-${n}`));
  expect(new Set(ids).size).toBe(ids.length);
  expect(Math.max(...ids.slice(0, 1000))).toBeLessThan(2 ** 52);
});
