import { expect, test } from 'vitest';
import { dayEnd, dayStart, momentAt, readDay } from './day-bounds.ts';

test('a day begins and ends in the time zone of the account, also when the clock changes', () => {
  expect(dayStart('2026-03-01', 'Asia/Kolkata')).toBe('2026-02-28T18:30:00.000Z');
  expect(dayEnd('2026-03-01', 'Asia/Kolkata')).toBe('2026-03-01T18:30:00.000Z');
  expect(dayStart('2026-03-29', 'Europe/Berlin')).toBe('2026-03-28T23:00:00.000Z');
  expect(dayEnd('2026-03-29', 'Europe/Berlin')).toBe('2026-03-29T22:00:00.000Z');
  expect(dayStart('2026-11-01', 'America/New_York')).toBe('2026-11-01T04:00:00.000Z');
  expect(dayEnd('2026-11-01', 'America/New_York')).toBe('2026-11-02T05:00:00.000Z');
});

test('a time is one on the clock of the account, also in the hour in which the clock changes', () => {
  expect(momentAt('2026-03-01 09:30:00', 'Asia/Kolkata')).toBe('2026-03-01T04:00:00.000Z');
  expect(momentAt('2026-03-29 03:30:00', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
  // This time does not exist, and the next one exists twice.
  expect(momentAt('2026-03-29 02:30:00', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
  expect(momentAt('2026-10-25 02:30:00', 'Europe/Berlin')).toMatch(/^2026-10-25T0[01]:30:00.000Z$/);
});

test('only days that exist are read from an address', () => {
  expect(readDay('2026-02-28')).toBe('2026-02-28');
  for (const value of ['2026-02-30', '2026-13-01', '2026-2-1', '0026-02-01', '', 20_260_228, undefined]) {
    expect(readDay(value)).toBeUndefined();
  }
});
