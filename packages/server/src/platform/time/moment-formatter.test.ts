import { expect, test } from 'vitest';
import { momentFormatter } from './moment-formatter.ts';

test.each([
  ['UTC', '2018-07-23T15:33:59.999Z', '23 Jul 2018 @3:33pm'],
  ['Asia/Kolkata', '2018-07-23T15:33:00Z', '23 Jul 2018 @9:03pm'],
  ['UTC', '2026-01-01T00:05:00Z', '1 Jan 2026 @12:05am'],
  ['UTC', '2026-12-31T12:00:00Z', '31 Dec 2026 @12:00pm'],
  ['UTC', '2026-09-09T11:59:00Z', '9 Sep 2026 @11:59am'],
  ['Pacific/Apia', '2026-06-30T12:00:00Z', '1 Jul 2026 @1:00am'],
  // The hour that occurs twice, and the moments around the skipped hour.
  ['Europe/Berlin', '2026-10-25T00:30:00Z', '25 Oct 2026 @2:30am'],
  ['Europe/Berlin', '2026-10-25T01:30:00Z', '25 Oct 2026 @2:30am'],
  ['Europe/Berlin', '2026-03-29T00:59:59Z', '29 Mar 2026 @1:59am'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', '29 Mar 2026 @3:00am'],
  ['Australia/Lord_Howe', '2026-04-04T14:45:00Z', '5 Apr 2026 @1:45am'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', '5 Apr 2026 @1:30am'],
])('in the time zone %s, the time %s is shown as %s', (zone, at, expected) => {
  expect(momentFormatter(zone)(Date.parse(at))).toBe(expected);
});

test('the result of momentFormatter shows times before and after a clock change, in any order', () => {
  const show = momentFormatter('Europe/Berlin');
  const moments = ['2026-10-25T01:00:00Z', '2026-10-25T00:59:59Z', '2026-03-29T01:00:00Z', '2026-03-29T00:59:59Z'];
  expect([...moments, ...moments.toReversed()].map((at) => show(Date.parse(at)))).toEqual([
    '25 Oct 2026 @2:00am',
    '25 Oct 2026 @2:59am',
    '29 Mar 2026 @3:00am',
    '29 Mar 2026 @1:59am',
    '29 Mar 2026 @1:59am',
    '29 Mar 2026 @3:00am',
    '25 Oct 2026 @2:59am',
    '25 Oct 2026 @2:00am',
  ]);
});

test('momentFormatter shows the same local time as Intl.DateTimeFormat, in every time zone', () => {
  const moments = Array.from({ length: 40 }, (_, n) => Date.UTC(2025, 0, 1) + n * 791_234_567);
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const show = momentFormatter(zone);
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
      expect(show(at), zone).toBe(expected);
    }
  }
});
