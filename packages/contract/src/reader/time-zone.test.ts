import { expect, test } from 'vitest';
import { isTimeZone, unknownTimeZone } from './time-zone.ts';

test.each([
  'UTC',
  'Asia/Kolkata',
  'Asia/Calcutta',
  'Europe/Kyiv',
  'Etc/GMT+5',
  'America/Argentina/Buenos_Aires',
  'America/Port-au-Prince',
  'Africa/Dar_es_Salaam',
])('%s is a time zone', (name) => {
  expect(isTimeZone(name)).toBe(true);
});

test.each([
  'IST',
  'PST',
  'EST',
  'EST5EDT',
  'CET',
  'GMT',
  'utc',
  'asia/kolkata',
  'Asia/kolkata',
  '+05:30',
  '',
  'SystemV/EST5',
  'Asia/Kolkatta',
  '\u0000',
  'x'.repeat(5000),
])('%j is not a time zone', (name) => {
  expect(isTimeZone(name)).toBe(false);
});

test('every time zone that the runtime lists is a time zone', () => {
  expect(Intl.supportedValuesOf('timeZone').filter((name) => !isTimeZone(name))).toEqual([]);
});

test.each([
  ['asia/kolkata', 'asia/kolkata is not a time zone. Did you mean Asia/Kolkata?'],
  ['Asia/Kolkatta', 'Asia/Kolkatta is not a time zone. Did you mean Asia/Kolkata?'],
  ['Berlin', 'Berlin is not a time zone. Did you mean Europe/Berlin?'],
  [
    'IST',
    'IST is not a time zone. Use the IANA name of a zone, an area and a place, such as Asia/Kolkata or Europe/Berlin, or UTC.',
  ],
  [
    'EST5EDT',
    'EST5EDT is not a time zone. Use the IANA name of a zone, an area and a place, such as Asia/Kolkata or Europe/Berlin, or UTC.',
  ],
])('the message for the unknown time zone %s says what to use instead', (name, message) => {
  expect(unknownTimeZone(name)).toBe(message);
});
