import { expect, test } from 'vitest';
import { dayOf } from './daily-limit.ts';

test.each([
  ['UTC', '2026-01-01T00:00:00Z', '2026-01-01', '2026-01-02T00:00:00Z'],
  ['Asia/Kolkata', '2026-01-01T18:30:00Z', '2026-01-02', '2026-01-02T18:30:00Z'],
  ['America/Los_Angeles', '2026-01-01T07:59:59Z', '2025-12-31', '2026-01-01T08:00:00Z'],
  // Days of 23 and 25 hours.
  ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29', '2026-03-29T22:00:00Z'],
  ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25', '2026-10-25T23:00:00Z'],
  // Clocks skip midnight. The day before ends when they show one o'clock.
  ['Africa/Cairo', '2026-04-23T21:59:59Z', '2026-04-23', '2026-04-23T22:00:00Z'],
  ['Africa/Cairo', '2026-04-23T22:00:00Z', '2026-04-24', '2026-04-24T21:00:00Z'],
  // Clocks go back from midnight to 23:00, so that day has this hour twice.
  ['Africa/Cairo', '2026-10-29T21:30:00Z', '2026-10-29', '2026-10-29T22:00:00Z'],
  ['Asia/Kathmandu', '2026-02-28T18:14:59Z', '2026-02-28', '2026-02-28T18:15:00Z'],
])('the local day in %s at %s is %s and ends at %s', (zone, at, day, endsAt) => {
  const found = dayOf(zone, new Date(at));
  expect([found.day, found.endsAt]).toEqual([day, new Date(endsAt)]);
  // The next day begins exactly at the end of this day.
  const next = dayOf(zone, found.endsAt).day;
  expect(next > day).toBe(true);
  expect(dayOf(zone, new Date(found.endsAt.getTime() - 1)).day).toBe(day);
});
