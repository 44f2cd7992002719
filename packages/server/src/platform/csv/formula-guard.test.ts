import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formulaStarts, guarded, unguarded } from './formula-guard.ts';

const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom("'", 'a', ' ', '9', ...formulaStarts), maxLength: 5 }),
  fc.string({ unit: 'binary' }),
);

test('a guarded text never begins like a formula, and unguarding restores it', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const cell = guarded(text);
      expect(formulaStarts.some((start) => cell.startsWith(start))).toBe(false);
      expect(unguarded(cell)).toBe(text);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['=1+1', "'=1+1"],
  ["'=1+1", "''=1+1"],
  ["''＝1", "'''＝1"],
  ['\nx', "'\nx"],
  ["'quoted'", "'quoted'"],
  ["O'Hara", "O'Hara"],
  [' =1', ' =1'],
  ["'", "'"],
  ['', ''],
])('the formula guard writes %j as %j', (text, cell) => {
  expect([guarded(text), unguarded(cell)]).toEqual([cell, text]);
});
