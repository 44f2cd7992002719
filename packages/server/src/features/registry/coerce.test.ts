import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coerce, widenedText } from './coerce.ts';

type Case = readonly [input: string | number | boolean, stored: string | number | boolean | undefined];

const cases: Record<string, readonly Case[]> = {
  text: [
    ['Pune', 'Pune'],
    ['', ''],
    ['  spaces stay  ', '  spaces stay  '],
    [30, '30'],
    [-0, '0'],
    [0.1, '0.1'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [-Number.MAX_SAFE_INTEGER, '-9007199254740991'],
    [Number.MAX_SAFE_INTEGER + 1, undefined],
    [1e21, undefined],
    [-1.25e22, undefined],
    ['12345678901234567890', '12345678901234567890'],
    [12.5, '12.5'],
    [1.5e-7, '0.00000015'],
    [-1e-7, '-0.0000001'],
    [true, 'true'],
    [false, 'false'],
    ['x'.repeat(1000), 'x'.repeat(1000)],
    ['x'.repeat(1001), undefined],
    ['😀'.repeat(1000), '😀'.repeat(1000)],
    ['😀'.repeat(1001), undefined],
  ],
  long_text: [
    ['x'.repeat(65_536), 'x'.repeat(65_536)],
    ['x'.repeat(65_537), undefined],
    [1.7976931348623157e308, undefined],
  ],
  number: [
    [30, 30],
    ['30', 30],
    [' 30 ', 30],
    ['+30', 30],
    ['1e3', 1000],
    ['1.50', 1.5],
    ['.5', 0.5],
    ['5.', 5],
    ['-0', 0],
    [-0, 0],
    ['007', 7],
    ['1,000', undefined],
    ['', undefined],
    [' ', undefined],
    ['NaN', undefined],
    ['Infinity', undefined],
    ['1e400', undefined],
    ['0x10', undefined],
    ['0b1', undefined],
    ['1_000', undefined],
    ['.', undefined],
    ['e5', undefined],
    ['٣', undefined],
    [true, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ],
  boolean: [
    [true, true],
    [false, false],
    ['TRUE', true],
    [' false ', false],
    ['Yes', true],
    ['no', false],
    ['1', true],
    ['0', false],
    [1, true],
    [0, false],
    [2, undefined],
    ['', undefined],
    ['on', undefined],
    ['constructor', undefined],
  ],
  date: [
    ['2024-02-29', '2024-02-29'],
    ['29-02-2024', '2024-02-29'],
    ['29/02/2024', '2024-02-29'],
    [' 2024-01-31 ', '2024-01-31'],
    ['0001-01-01', '0001-01-01'],
    ['9999-12-31', '9999-12-31'],
    ['2000-02-29', '2000-02-29'],
    ['1900-02-29', undefined],
    ['2023-02-29', undefined],
    ['2024-04-31', undefined],
    ['0000-01-01', undefined],
    ['2024-13-01', undefined],
    ['2024-00-01', undefined],
    ['2024-01-00', undefined],
    ['31-01/2024', undefined],
    ['2024/01/31', undefined],
    ['2024-1-31', undefined],
    ['2024-01-31T00:00:00Z', undefined],
    ['', undefined],
    [20_240_131, undefined],
    [true, undefined],
  ],
  datetime: [
    ['2024-01-31T09:00:00Z', '2024-01-31T09:00:00.000Z'],
    ['2024-01-31t09:00:00z', '2024-01-31T09:00:00.000Z'],
    ['2024-01-31 09:00:00+05:30', '2024-01-31T03:30:00.000Z'],
    [' 2024-01-31T09:00:00.5Z ', '2024-01-31T09:00:00.500Z'],
    ['2024-01-31T09:00:00.123999Z', '2024-01-31T09:00:00.123Z'],
    ['2024-01-01T00:00:00+00:01', '2023-12-31T23:59:00.000Z'],
    ['2024-12-31T23:30:00-01:00', '2025-01-01T00:30:00.000Z'],
    ['0050-01-01T00:00:00Z', '0050-01-01T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2017-01-01T05:29:60.7+05:30', '2017-01-01T00:00:00.000Z'],
    ['2016-12-31T15:59:60-08:00', '2017-01-01T00:00:00.000Z'],
    ['2016-12-31T22:59:60Z', undefined],
    ['2016-12-31T23:59:61Z', undefined],
    ['2024-01-31T24:00:00Z', undefined],
    ['2024-01-31T09:60:00Z', undefined],
    ['2024-02-30T09:00:00Z', undefined],
    ['2024-01-31T09:00:00+24:00', undefined],
    ['2024-01-31T09:00:00+05:60', undefined],
    ['0001-01-01T00:00:00+00:01', undefined],
    ['9999-12-31T23:59:59-00:01', undefined],
    ['9999-12-31T23:59:60Z', undefined],
    ['2024-01-31T09:00:00', undefined],
    ['2024-01-31T09:00Z', undefined],
    ['2024-01-31', undefined],
    ['', undefined],
    [0, undefined],
    [false, undefined],
  ],
};

describe.each(Object.entries(cases))('a value for %s', (dataType, rows) => {
  test.each(rows)('%j is stored as %j', (input, stored) => {
    expect(coerce(dataType as Parameters<typeof coerce>[0], input)).toStrictEqual(stored);
  });
});

test.each([
  [1.5, '1.5'],
  [1e21, '1000000000000000000000'],
  [2 ** 60, '1152921504606847000'],
  [true, 'true'],
  ['Pune', 'Pune'],
])('the stored value %j becomes %j when its attribute becomes a text', (stored, text) => {
  expect(widenedText(stored)).toBe(text);
});

test('coercing a stored value again changes nothing, for every data type', () => {
  const dataTypes = ['text', 'long_text', 'number', 'boolean', 'date', 'datetime'] as const;
  const input = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.boolean(),
    fc
      .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
      .chain((date) => fc.constantFrom(date.toISOString(), date.toISOString().slice(0, 10))),
  );
  fc.assert(
    fc.property(fc.constantFrom(...dataTypes), input, (dataType, value) => {
      const stored = coerce(dataType, value);
      if (stored !== undefined) expect(coerce(dataType, stored)).toStrictEqual(stored);
    }),
    { numRuns: 2000 },
  );
});

test('coerce keeps every date-time from year 1 to 9999 to the millisecond', () => {
  const moment = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moment, fc.integer({ min: -1439, max: 1439 }), (at, offset) => {
      const local = new Date(at.getTime() + offset * 60_000);
      fc.pre(local.getUTCFullYear() >= 1 && local.getUTCFullYear() <= 9999);
      const minutes = Math.abs(offset);
      const zone = `${offset < 0 ? '-' : '+'}${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
      expect(coerce('datetime', local.toISOString().replace('Z', zone))).toBe(at.toISOString());
    }),
    { numRuns: 1000 },
  );
});
