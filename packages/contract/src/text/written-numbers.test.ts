import { expect, test } from 'vitest';
import { readWrittenNumber } from './written-numbers.ts';

test.each([
  ['99,90', '99.90', undefined],
  ['1.234,50', '1234.50', undefined],
  ['1,234.50', undefined, '1234.50'],
  ['99.90', undefined, '99.90'],
  ['1.234', '1234', '1.234'],
  ['1,234', '1.234', '1234'],
  ['-1 234 567,8', '-1234567.8', undefined],
  ["1'234.50", undefined, '1234.50'],
  ['1\u00a0234', '1234', '1234'],
  [' 7 ', '7', '7'],
  ['1.234.567', '1234567', undefined],
  ["1.234'567", undefined, undefined],
  ['12.34,5', undefined, undefined],
  ['1.2345', undefined, '1.2345'],
  ['1,', undefined, undefined],
  [',5', undefined, undefined],
  ['99,90 €', undefined, undefined],
  ['', undefined, undefined],
  ['9'.repeat(65), undefined, undefined],
])('%j is %j with a decimal comma, and %j with a decimal point', (text, comma, point) => {
  expect(readWrittenNumber(text, 'comma')).toBe(comma);
  expect(readWrittenNumber(text, 'point')).toBe(point);
});
