import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numbersIn, runsOf, touchedContacts } from './touched-contacts.ts';

test.each([
  [[], []],
  [[5], [5]],
  [
    [4, 5],
    [4, -5],
  ],
  [
    [9, 3, 8, 7, 3],
    [3, 7, -9],
  ],
  [
    [1, 2, 4, 6, 7, 8],
    [1, -2, 4, 6, -8],
  ],
])('the numbers %j are stored as %j', (numbers, runs) => {
  expect(runsOf(numbers)).toEqual(runs);
});

test('the runs of any numbers have the same numbers, once and sorted', () => {
  const number = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 2 ** 40 }));
  fc.assert(
    fc.property(fc.array(number, { maxLength: 60 }), (numbers) => {
      const sorted = [...new Set(numbers)].sort((a, b) => a - b);
      expect(numbersIn(runsOf(numbers))).toEqual(sorted);
      expect(touchedContacts(numbers)).toMatchObject({ first: sorted[0] ?? null, last: sorted.at(-1) ?? null });
    }),
  );
});

test('one run is stored as its first and last number only', () => {
  expect(touchedContacts([])).toEqual({ first: null, last: null, runs: null });
  expect(touchedContacts([7])).toEqual({ first: 7, last: 7, runs: null });
  expect(touchedContacts([8, 6, 7])).toEqual({ first: 6, last: 8, runs: null });
  expect(touchedContacts([6, 8])).toEqual({ first: 6, last: 8, runs: [6, 8] });
});
