import { describe, expect, test } from 'vitest';
import { localTime } from './local-time.ts';

const start = (zone: string, date: string) => {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  return new Date(localTime(zone).startOf({ year, month, day })).toISOString();
};

describe('a day begins', () => {
  test.each([
    ['UTC', '2026-02-28', '2026-02-28T00:00:00.000Z'],
    ['Asia/Kolkata', '2026-02-28', '2026-02-27T18:30:00.000Z'],
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z'],
    ['Etc/GMT+12', '2026-01-01', '2026-01-01T12:00:00.000Z'],
    // Around the changes of the clocks.
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00.000Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'],
    ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-06', '2026-04-05T13:30:00.000Z'],
    // Midnight is skipped: the day begins at one.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    ['America/Asuncion', '2023-10-01', '2023-10-01T04:00:00.000Z'],
    // At midnight it is eleven again: the day begins an hour later.
    ['Africa/Cairo', '2026-10-30', '2026-10-29T22:00:00.000Z'],
    // Midnight comes twice: the day begins with the first.
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z'],
    // A day that there was not: it begins and ends at the same moment.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
    ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00.000Z'],
    // Years without a leading 19, and before there was standard time.
    ['UTC', '0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['UTC', '0099-12-31', '0099-12-31T00:00:00.000Z'],
    ['Asia/Kolkata', '1800-01-01', '1799-12-31T18:06:32.000Z'],
  ])('in %s on %s at %s', (zone, date, expected) => {
    expect(start(zone, date)).toBe(expected);
  });

  test.each([
    'Europe/Berlin',
    'America/New_York',
    'Africa/Cairo',
    'Pacific/Apia',
    'America/Havana',
    'Asia/Kolkata',
    'Asia/Beirut',
  ])('in %s at the first moment that shows it, all year round, and days follow each other without a gap', (zone) => {
    const date = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
    for (const year of [2011, 2023, 2026]) {
      for (let day = Date.UTC(year, 0, 1); day < Date.UTC(year + 1, 0, 1); day += 86_400_000) {
        const shown = new Date(day).toISOString().slice(0, 10);
        const at = Date.parse(start(zone, shown));
        expect(date.format(at - 1) < shown, shown).toBe(true);
        expect(date.format(at) >= shown, shown).toBe(true);
      }
    }
  });
});

describe('a moment is shown', () => {
  test.each([
    ['UTC', '2018-07-23T15:33:59.999Z', '23 Jul 2018 @3:33pm'],
    ['Asia/Kolkata', '2018-07-23T15:33:00Z', '23 Jul 2018 @9:03pm'],
    ['UTC', '2026-01-01T00:05:00Z', '1 Jan 2026 @12:05am'],
    ['UTC', '2026-12-31T12:00:00Z', '31 Dec 2026 @12:00pm'],
    ['UTC', '2026-09-09T11:59:00Z', '9 Sep 2026 @11:59am'],
    ['Pacific/Apia', '2026-06-30T12:00:00Z', '1 Jul 2026 @1:00am'],
    // The hour that comes twice, and the moments around the one that is skipped.
    ['Europe/Berlin', '2026-10-25T00:30:00Z', '25 Oct 2026 @2:30am'],
    ['Europe/Berlin', '2026-10-25T01:30:00Z', '25 Oct 2026 @2:30am'],
    ['Europe/Berlin', '2026-03-29T00:59:59Z', '29 Mar 2026 @1:59am'],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '29 Mar 2026 @3:00am'],
    ['Australia/Lord_Howe', '2026-04-04T14:45:00Z', '5 Apr 2026 @1:45am'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', '5 Apr 2026 @1:30am'],
  ])('in %s, %s as %s', (zone, at, expected) => {
    expect(localTime(zone).display(Date.parse(at))).toBe(expected);
  });

  test('like the clocks of every zone show it', () => {
    const moments = Array.from({ length: 40 }, (_, n) => Date.UTC(2025, 0, 1) + n * 791_234_567);
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      const local = localTime(zone);
      const format = new Intl.DateTimeFormat('en-GB', {
        timeZone: zone,
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        hour: 'numeric',
        minute: '2-digit',
        hourCycle: 'h12',
      });
      for (const at of moments) {
        const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
        const expected = `${part['day']} ${part['month']!.slice(0, 3)} ${part['year']} @${Number(part['hour'])}:${part['minute']}${part['dayPeriod']}`;
        expect(local.display(at), zone).toBe(expected);
      }
    }
  });
});
