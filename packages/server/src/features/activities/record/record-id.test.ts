import { expect, test } from 'vitest';
import { recordId } from './record-id.ts';

test.each([
  ['evt-1', 2_168_279_765_537_480],
  ['अ', 1_247_261_138_500_118],
])('the number of the id %s is the first 52 bits of its SHA-256', (id, number) => {
  expect(recordId(id)).toBe(number);
});

test('the numbers of 200,000 similar ids differ and have up to 52 bits', () => {
  const ids = Array.from({ length: 200_000 }, (_, n) => recordId(`evt-${n}`));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => id >= 2 ** 52)).toEqual([]);
});
