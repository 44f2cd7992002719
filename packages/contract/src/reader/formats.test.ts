import { describe, expect, test } from 'vitest';
import { Faults } from './faults.ts';
import { formats } from './formats.ts';

describe('a date-time', () => {
  const read = (input: unknown) => {
    const faults = new Faults();
    return formats['date-time'](input, faults) ?? faults.list[0]!.code;
  };

  test.each([
    ['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.000Z'],
    ['2026-01-31 09:00:00.5+05:30', '2026-01-31T03:30:00.500Z'],
    ['2028-02-29t23:59:59-23:59', '2028-03-01T23:58:59.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('%s is read as %s', (text, moment) => {
    expect(read(text)).toBe(moment);
  });

  test.each([
    '2027-02-30T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T09:00:00+24:00',
    '9999-12-31T23:59:59-23:59',
    '0001-01-01T00:00:00+00:01',
    '2026-01-31T09:00:00',
    '2026-01-31',
    '',
    null,
    1_769_850_000_000,
  ])('%j is refused instead of becoming another moment', (input) => {
    expect(read(input)).toBe('invalid_format');
  });
});
