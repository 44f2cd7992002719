import { expect, test } from 'vitest';
import { mask } from './masking.ts';

test.each([
  ['none', '4111111111111234', '4111111111111234'],
  ['none', 30, 30],
  ['none', null, null],
  ['partial', '4111111111111234', '************1234'],
  ['partial', '123456789', '*****6789'],
  ['partial', '12345678', '****'],
  ['partial', '', '****'],
  ['partial', null, null],
  ['partial', 4_111_111_111, '******1111'],
  ['partial', true, '****'],
  ['partial', '1994-03-09', '******3-09'],
  // Characters are code points: no half of a letter comes out.
  ['partial', '😀😀😀😀😀😀😀😀', '****'],
  ['partial', '😀😀😀😀😀abcd', '*****abcd'],
  ['full', '4111111111111234', '****'],
  ['full', '', '****'],
  ['full', 0, '****'],
  ['full', false, '****'],
  ['full', null, null],
] as const)('masking %s shows %j as %j', (masking, value, shown) => {
  expect(mask(masking, value)).toBe(shown);
});
