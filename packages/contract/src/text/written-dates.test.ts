import { expect, test } from 'vitest';
import { readWrittenDate, readWrittenMoment, type WrittenDateFormat } from './written-dates.ts';

test.each<[string, WrittenDateFormat, string | undefined]>([
  ['5/3/65', 'mdy', '1965-05-03'],
  ['31.12.29', 'dmy', '2029-12-31'],
  ['1.1.30', 'dmy', '1930-01-01'],
  ['1/2/1950', 'mdy', '1950-01-02'],
  ['0050-01-02', 'ymd', '0050-01-02'],
  ['31.02.2024', 'dmy', undefined],
])('readWrittenDate(%j, %j) is %j, and two digits mean a year from 1930 to 2029', (text, format, day) => {
  expect(readWrittenDate(text, format)).toBe(day);
});

test.each<[string, string | undefined]>([
  ['2024-01-31 09:00:59', '2024-01-31T09:00:59.000Z'],
  ['2024-01-31 09:00:60', '2024-01-31T09:00:59.000Z'],
  ['2024-01-31 09:00:61', undefined],
  ['2024-01-31 09:60', undefined],
  ['2024-01-31 24:00', undefined],
])('readWrittenMoment(%j) is %j', (text, moment) => {
  expect(readWrittenMoment(text, 'ymd')).toBe(moment);
});
