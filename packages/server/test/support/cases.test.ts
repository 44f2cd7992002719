import { expect, test } from 'vitest';
import { readCaseFactor } from './cases.ts';

test('ROSTER_TEST_CASES multiplies the cases of property tests', () => {
  expect(readCaseFactor()).toBe(1);
  expect(readCaseFactor(' ')).toBe(1);
  expect(readCaseFactor('0.5')).toBe(0.5);
  expect(readCaseFactor('40')).toBe(40);
});

test.each(['0', '-1', 'many', 'Infinity'])('the factor %s is refused', (text) => {
  expect(() => readCaseFactor(text)).toThrow('must be a number above 0');
});
