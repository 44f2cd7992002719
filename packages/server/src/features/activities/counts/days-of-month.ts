import { LRUCache } from 'lru-cache';
import { millisecondsPerDay } from '#platform/time/intervals.ts';
import { addDays, dayAt, startOfDay } from '#platform/time/days.ts';
import { startOfMonth, type Month } from '#platform/time/month.ts';

/** The days of a time zone that a month in UTC touches. */
export interface DaysOfMonth {
  /** `YYYY-MM-DD`, in order. */
  readonly days: readonly string[];
  /** When each day begins, in milliseconds since 1970. */
  readonly starts: readonly number[];
}

const cache = new LRUCache<string, DaysOfMonth>({ max: 1000 });

/** Returns the days of a time zone that a month in UTC touches. */
export function daysOfMonth(month: Month, timeZone: string): DaysOfMonth {
  const key = `${month} ${timeZone}`;
  let found = cache.get(key);
  if (found === undefined) {
    const end = Date.parse(startOfMonth(month + 1));
    const days: string[] = [];
    const starts: number[] = [];
    let day = dayAt(Date.parse(startOfMonth(month)), timeZone);
    for (let start = startOfDay(day, timeZone); start < end; start = startOfDay(day, timeZone)) {
      days.push(day);
      starts.push(start);
      day = addDays(day, 1);
    }
    cache.set(key, (found = { days, starts }));
  }
  return found;
}

/** Returns the index of the day of a moment, which is in the month. */
export function dayIndex({ starts }: DaysOfMonth, moment: number): number {
  // A guess from the length of a day is right, or wrong by one or two days.
  let index = Math.min(starts.length - 1, Math.max(0, Math.floor((moment - starts[0]!) / millisecondsPerDay)));
  while (index > 0 && starts[index]! > moment) index -= 1;
  while (index + 1 < starts.length && starts[index + 1]! <= moment) index += 1;
  return index;
}
