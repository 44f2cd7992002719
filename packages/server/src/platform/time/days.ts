import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';

// A search compiles its filter up to three times, and most searches ask for the same days.
const starts = new LRUCache<string, number>({ max: 10_000 });

/**
 * The moment at which a day (`YYYY-MM-DD`) begins in a time zone, in milliseconds since 1970.
 *
 * That is midnight, or the first moment after it where the clocks skip midnight. A day that the zone skipped begins when the next day does.
 */
export function startOfDay(day: string, timeZone: string): number {
  return startOf(Temporal.PlainDate.from(day), timeZone);
}

/** The moment at which a day (`YYYY-MM-DD`) ends in a time zone: when the next one begins. */
export function endOfDay(day: string, timeZone: string): number {
  return startOf(Temporal.PlainDate.from(day).add({ days: 1 }), timeZone);
}

/** The day (`YYYY-MM-DD`) of a moment in a time zone. */
export function dayAt(moment: number, timeZone: string): string {
  return zonedTime(moment, timeZone).toPlainDate().toString();
}

/** The number of days from one day (`YYYY-MM-DD`) to another; negative when the other is earlier. */
export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days;
}

/** A moment as the clocks of a time zone show it. */
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

/** A zone that was stored before its name was checked strictly, and that no longer exists, counts as UTC. */
function inZone<T>(timeZone: string, compute: (zone: string) => T): T {
  try {
    return compute(timeZone);
  } catch (error) {
    if (timeZone === 'UTC' || !(error instanceof RangeError)) throw error;
    return compute('UTC');
  }
}
