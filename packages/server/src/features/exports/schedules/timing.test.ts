import { Faults, type ScheduleTiming } from '@roster/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkTiming, countDue, dueAfter } from './timing.ts';

/** The next times of a timing after a moment. */
function times(timing: ScheduleTiming, zone: string, after: string, count: number): string[] {
  const found: string[] = [];
  let time = new Date(after);
  while (found.length < count) {
    time = dueAfter(timing, zone, time);
    found.push(time.toISOString());
  }
  return found;
}

describe('the times of a schedule', () => {
  test('a daily schedule keeps its local time when the clocks change', () => {
    expect(times({ every: 'day', at: '06:30' }, 'Europe/Berlin', '2026-03-27T12:00:00Z', 3)).toEqual([
      '2026-03-28T05:30:00.000Z',
      '2026-03-29T04:30:00.000Z',
      '2026-03-30T04:30:00.000Z',
    ]);
  });

  test('a time that the clock change skips is moved to the first moment after it', () => {
    expect(times({ every: 'day', at: '02:30' }, 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
  });

  // In Nuuk, the clocks skip the last hour of a Saturday.
  test('a time before midnight that the clock change skips is moved to midnight', () => {
    expect(times({ every: 'day', at: '23:30' }, 'America/Nuuk', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    const saturdays: ScheduleTiming = { every: 'week', weekdays: ['saturday'], at: '23:30' };
    expect(times(saturdays, 'America/Nuuk', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-04-05T00:30:00.000Z',
    ]);
  });

  test('a time that the clock change repeats is due once', () => {
    expect(times({ every: 'day', at: '02:30' }, 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  test('midnight exists on a day that begins at one o’clock', () => {
    expect(times({ every: 'day', at: '00:00' }, 'Africa/Cairo', '2026-04-23T12:00:00Z', 2)).toEqual([
      '2026-04-23T22:00:00.000Z',
      '2026-04-24T21:00:00.000Z',
    ]);
  });

  test('a weekly schedule runs on each of its days', () => {
    const timing: ScheduleTiming = { every: 'week', weekdays: ['sunday', 'wednesday'], at: '08:00' };
    expect(times(timing, 'UTC', '2026-11-23T00:00:00Z', 3)).toEqual([
      '2026-11-25T08:00:00.000Z',
      '2026-11-29T08:00:00.000Z',
      '2026-12-02T08:00:00.000Z',
    ]);
  });

  test.each([
    [29, ['2027-01-29', '2027-02-28', '2027-03-29', '2027-04-29']],
    [30, ['2027-01-30', '2027-02-28', '2027-03-30', '2027-04-30']],
    [31, ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']],
    [1, ['2027-01-01', '2027-02-01', '2027-03-01', '2027-04-01']],
  ])('day %i of a month is its last day if the month is shorter', (day, days) => {
    const found = times({ every: 'month', day, at: '23:00' }, 'UTC', '2026-12-31T23:30:00Z', 4);
    expect(found.map((time) => time.slice(0, 10))).toEqual(days);
  });

  test('day 29 has one time in the February of a leap year', () => {
    const found = times({ every: 'month', day: 29, at: '09:00' }, 'Asia/Kolkata', '2028-02-01T00:00:00Z', 2);
    expect(found).toEqual(['2028-02-29T03:30:00.000Z', '2028-03-29T03:30:00.000Z']);
  });

  test('the next time is always later, and in the local time of the zone', () => {
    const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
        fc.integer({ min: 0, max: 23 }),
        (zone, after, hour) => {
          const due = dueAfter({ every: 'day', at: `${String(hour).padStart(2, '0')}:15` }, zone, after);
          expect(due > after).toBe(true);
          expect(due.getTime() - after.getTime()).toBeLessThanOrEqual(26 * 3_600_000);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('due times are counted up to a limit', () => {
    const span = { after: new Date('2026-01-01T06:00:00Z'), upTo: new Date('2026-01-05T06:00:00Z') };
    expect(countDue({ every: 'day', at: '06:00' }, 'UTC', span, 100)).toBe(4);
    expect(countDue({ every: 'day', at: '06:00' }, 'UTC', span, 3)).toBe(3);
  });
});

describe('the check of a timing', () => {
  function faultsOf(timing: object): string[] {
    const faults = new Faults();
    checkTiming(timing, faults);
    return faults.list.map(({ code, field }) => `${code} ${field}`);
  }

  test('each kind needs its own fields and refuses the others', () => {
    expect(faultsOf({ every: 'day' })).toEqual(['required timing.at']);
    expect(faultsOf({ every: 'week', at: '06:00' })).toEqual(['required timing.weekdays']);
    expect(faultsOf({ every: 'month', at: '06:00', weekdays: ['monday'] })).toEqual([
      'not_allowed timing.weekdays',
      'required timing.day',
    ]);
    expect(faultsOf({ every: 'cron', at: '06:00' })).toEqual(['not_allowed timing.at', 'required timing.cron']);
    expect(faultsOf({ every: 'day', at: '06:00' })).toEqual([]);
  });

  test.each(['* * * *', '0 0 6 * * *', '61 * * * *', '0 6 30 2 *', 'daily', '@daily', ''])(
    'the cron expression %j is refused',
    (cron) => {
      expect(faultsOf({ every: 'cron', cron })).toEqual(['invalid_format timing.cron']);
    },
  );

  test('a cron expression with five fields is accepted', () => {
    expect(faultsOf({ every: 'cron', cron: '*/15 8-18 * * 1-5' })).toEqual([]);
  });
});
