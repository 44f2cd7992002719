import { describe, expect, test } from 'vitest';
import { dayAt, daysBetween, endOfDay, startOfDay } from './days.ts';

const start = (zone: string, day: string) => new Date(startOfDay(day, zone)).toISOString();

describe('the start of a day', () => {
  test.each([
    ['UTC', '2026-02-28', '2026-02-28T00:00:00.000Z'],
    ['Asia/Kolkata', '2026-02-28', '2026-02-27T18:30:00.000Z'],
    ['Asia/Calcutta', '2026-02-28', '2026-02-27T18:30:00.000Z'],
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z'],
    ['Etc/GMT+12', '2026-01-01', '2026-01-01T12:00:00.000Z'],
    // Around clock changes.
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00.000Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'],
    ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-06', '2026-04-05T13:30:00.000Z'],
    // Clocks skip midnight. The day begins at one o'clock.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    ['America/Asuncion', '2023-10-01', '2023-10-01T04:00:00.000Z'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
    // Clocks go back from midnight to 23:00. The day begins an hour later.
    ['Africa/Cairo', '2026-10-30', '2026-10-29T22:00:00.000Z'],
    // Midnight occurs twice. The day begins with the first one.
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z'],
    // The time zone skipped 2011-12-30. That day begins and ends at the same moment.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
    ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00.000Z'],
    // Early years, and a year before standard time existed.
    ['UTC', '0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['UTC', '0099-12-31', '0099-12-31T00:00:00.000Z'],
    ['Asia/Kolkata', '1800-01-01', '1799-12-31T18:06:32.000Z'],
    // A stored name that is not a zone counts as UTC.
    ['IST', '2026-02-28', '2026-02-28T00:00:00.000Z'],
  ])('in %s on %s is %s', (zone, day, expected) => {
    expect(start(zone, day)).toBe(expected);
  });

  const zones = ['Europe/Berlin', 'America/New_York', 'Africa/Cairo', 'Pacific/Apia', 'America/Havana', 'Asia/Beirut'];
  test.each(zones)(
    'the start of a day in %s is the first moment with that local date, and days have no gaps',
    (zone) => {
      const date = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
      for (const year of [2011, 2023, 2026]) {
        for (let day = Date.UTC(year, 0, 1); day < Date.UTC(year + 1, 0, 1); day += 86_400_000) {
          const shown = new Date(day).toISOString().slice(0, 10);
          const at = startOfDay(shown, zone);
          expect(date.format(at - 1) < shown, shown).toBe(true);
          expect(date.format(at) >= shown, shown).toBe(true);
          expect(endOfDay(shown, zone), shown).toBe(
            startOfDay(new Date(day + 86_400_000).toISOString().slice(0, 10), zone),
          );
          if (endOfDay(shown, zone) > at) expect(dayAt(at, zone)).toBe(shown);
        }
      }
    },
  );
});

test('daysBetween counts calendar days', () => {
  expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
  expect(daysBetween('2024-02-28', '2024-03-01')).toBe(2);
  expect(daysBetween('2026-01-02', '2026-01-01')).toBe(-1);
  expect(daysBetween('2025-12-31', '2026-12-31')).toBe(365);
});
