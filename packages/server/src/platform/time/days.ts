import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';

// A search compiles its filter up to three times, and most searches ask for the same days.
const starts = new LRUCache<string, number>({ max: 10_000 });

/**
 * Returns when a day (`YYYY-MM-DD`) begins in a time zone, in milliseconds since 1970.
 *
 * A day begins at midnight, or at the first moment after it when the clocks skip midnight. A day
 * that the zone skipped begins when the next day does.
 */
export function startOfDay(day: string, timeZone: string): number {
  return startOf(Temporal.PlainDate.from(day), timeZone);
}

/** Returns when a day (`YYYY-MM-DD`) ends in a time zone: the moment when the next day begins. */
export function endOfDay(day: string, timeZone: string): number {
  return startOf(Temporal.PlainDate.from(day).add({ days: 1 }), timeZone);
}

/** Returns the day (`YYYY-MM-DD`) of a moment in a time zone. */
export function dayAt(moment: number, timeZone: string): string {
  return zonedTime(moment, timeZone).toPlainDate().toString();
}

/** Returns the day (`YYYY-MM-DD`) that is some days after a day; before it for a negative number. */
export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** Returns the number of days between two days (`YYYY-MM-DD`); negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days;
}

/** Returns a moment as the clocks of a time zone show it. */
export function zonedTime(moment: number, timeZone: string): Temporal.ZonedDateTime {
  const instant = Temporal.Instant.fromEpochMilliseconds(moment);
  return inZone(timeZone, (zone) => instant.toZonedDateTimeISO(zone));
}

function startOf(day: Temporal.PlainDate, timeZone: string): number {
  const key = `${timeZone} ${day.toString()}`;
  let start = starts.get(key);
  if (start === undefined) {
    start = inZone(timeZone, (zone) => day.toZonedDateTime(zone)).epochMilliseconds;
    starts.set(key, start);
  }
  return start;
}

/** Computes in a time zone, or in UTC if the zone does not exist, which is possible in old rows. */
function inZone<T>(timeZone: string, compute: (zone: string) => T): T {
  try {
    return compute(timeZone);
  } catch (error) {
    if (timeZone === 'UTC' || !(error instanceof RangeError)) throw error;
    return compute('UTC');
  }
}
