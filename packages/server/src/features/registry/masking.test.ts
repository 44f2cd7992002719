import { expect, test } from 'vitest';
import { cpuTime } from '../../../test/support/cpu-time.ts';
import { looksMasked, mask } from './masking.ts';

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
  // A mask counts visible characters (graphemes), and never shows half of one.
  ['partial', '😀😀😀😀😀😀😀😀', '****'],
  ['partial', '😀😀😀😀😀abcd', '*****abcd'],
  ['partial', '👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩🏽‍🚀', '****'],
  ['partial', 'Zoë Müller👩‍👩‍👧‍👦'.normalize('NFD'), '*******ler👩‍👩‍👧‍👦'],
  ['partial', 'abcdefghé'.normalize('NFD'), '*****fghé'.normalize('NFD')],
  ['partial', 'क्षत्रिय राम कुमार', '******** कुमार'],
  ['full', '4111111111111234', '****'],
  ['full', '', '****'],
  ['full', 0, '****'],
  ['full', false, '****'],
  ['full', null, null],
] as const)('the masking %s shows %j as %j', (masking, value, shown) => {
  expect(mask(masking, value)).toBe(shown);
});

test.each(['4111111111111234', 'Zoë Müller👩‍👩‍👧‍👦'.normalize('NFD'), 'short'])(
  'looksMasked recognises the mask of %j',
  (value) => {
    expect(looksMasked(mask('partial', value))).toBe(true);
    expect(looksMasked(value)).toBe(false);
  },
);

test('looksMasked refuses a text that only begins like a mask, and long texts are checked quickly', () => {
  const spent = cpuTime(() => {
    expect(looksMasked('*****abc')).toBe(false);
    expect(looksMasked('*****abcde')).toBe(false);
    expect(looksMasked(`*****a${'\u0301'.repeat(65_000)}bcdefgh`)).toBe(false);
    expect(mask('partial', `a${'\u0301'.repeat(65_000)}`)).toBe('****');
    expect(mask('partial', '👩\u200d'.repeat(30_000))).toBe('****');
  });
  expect(spent).toBeLessThan(2000);
});
