import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { numberText, parseNumber, parseNumbers } from './number-text.ts';

test('a number with the separators of its language is read as the console writes it', () => {
  expect(parseNumber('1,234', 'en-GB')).toBe(1234);
  expect(parseNumber('1.234', 'en-GB')).toBe(1.234);
  expect(parseNumber('1,234,567.25', 'en-GB')).toBe(1_234_567.25);
  expect(parseNumber('12,34,567.5', 'en-IN')).toBe(1_234_567.5);
  expect(parseNumber('1.234', 'de-DE')).toBe(1234);
  expect(parseNumber('1.234,50', 'de-DE')).toBe(1234.5);
  expect(parseNumber('1.234,5', 'de-DE')).toBe(1234.5);
  expect(parseNumber('-0,5', 'de-DE')).toBe(-0.5);
  expect(parseNumber(' 1 234,5 ', 'de-AT')).toBe(1234.5);
  expect(parseNumber('1’234.5', 'de-CH')).toBe(1234.5);
});

test('a number of the other language is read if it can mean nothing else', () => {
  expect(parseNumber('1.234,50', 'en-GB')).toBe(1234.5);
  expect(parseNumber('1,234.50', 'de-DE')).toBe(1234.5);
  expect(parseNumber('200.89', 'de-DE')).toBe(200.89);
  expect(parseNumber('0.123', 'de-DE')).toBe(0.123);
  expect(parseNumber('1.234.567', 'en-GB')).toBe(1_234_567);
  expect(parseNumber('1,234,567', 'de-DE')).toBe(1_234_567);
  expect(parseNumber('2.5e-7', 'en-GB')).toBe(2.5e-7);
});

test('a text that is not a number, or could be several numbers, is not read', () => {
  for (const text of [
    '',
    ' ',
    '.',
    '-',
    ',',
    'many',
    '1.2.3',
    '1,2,3',
    '12.34,5',
    '1,234.5,6',
    '1 2',
    '0x10',
    '1e999',
  ]) {
    expect([text, parseNumber(text, 'en-GB'), parseNumber(text, 'de-DE')]).toEqual([text, undefined, undefined]);
  }
});

test('several numbers are separated by spaces, semicolons or commas', () => {
  expect(parseNumbers('1,234 5;6.5, 7', 'en-GB')).toEqual([1234, 5, 6.5, 7]);
  expect(parseNumbers('12,15,18', 'en-GB')).toEqual([12, 15, 18]);
  expect(parseNumbers('1.234,5 7;8,5', 'de-DE')).toEqual([1234.5, 7, 8.5]);
  expect(parseNumbers('1 x', 'de-DE')).toEqual([1, undefined]);
});

test('a number is read as it is written, in all locales of both languages', () => {
  for (const locale of ['en-GB', 'en-US', 'en-IN', 'en-ZA', 'de-DE', 'de-AT', 'de-CH']) {
    const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 });
    const number = fc.oneof(
      fc.maxSafeInteger(),
      fc.integer().map((value) => value / 1000),
      fc.integer({ max: 9999 }),
    );
    fc.assert(
      fc.property(number, (value) => {
        expect(parseNumber(numbers.format(value), locale)).toBe(value);
      }),
    );
  }
});

test('a number that the console would round is written with all of its digits', () => {
  vi.stubGlobal('navigator', { languages: ['en-GB'] });
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(parseNumber(numberText(value))! - value).toBe(0);
    }),
  );
  expect(numberText(1234.5)).toBe('1,234.5');
  expect(numberText(2.5e-30)).toBe('2.5e-30');
  vi.unstubAllGlobals();
});
