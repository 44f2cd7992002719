import { LRUCache } from 'lru-cache';

/** A day of the calendar, without a time zone. */
export interface Day {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

/** The time of a place: what its clocks show, and when its days begin. */
export interface LocalTime {
  /** The moment at which a day begins, in milliseconds since 1970: midnight, or the first moment behind it where the clocks skip it. */
  startOf(day: Day): number;
  /** The day of a moment. */
  dayOf(at: number): Day;
  /** A moment as people read it, such as `23 Jul 2018 @3:33pm` (interface §4.4). */
  display(at: number): string;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const hour = 3_600_000;
// Clocks change at full quarters of an hour of UTC, so that an offset holds for one.
const quarter = hour / 4;

// Milliseconds, by time zone and moment. Reading one takes some ten microseconds, and most requests ask for the same weeks.
const offsets = new LRUCache<string, number>({ max: 10_000 });

/** The time of an IANA time zone. */
export function localTime(timeZone: string): LocalTime {
  /** Milliseconds by which local time is ahead of UTC at a moment. */
  function offsetAt(at: number): number {
    const start = Math.floor(at / quarter) * quarter;
    const key = `${timeZone} ${start}`;
    let offset = offsets.get(key);
    if (offset === undefined) offsets.set(key, (offset = readOffset(timeZone, start)));
    return offset;
  }

  /** The first moment in a period at which the offset is no longer that of its beginning; it changes once in it. */
  function changeBetween(from: number, to: number): number {
    const before = offsetAt(from);
    let [last, first] = [Math.floor(from / quarter), Math.ceil(to / quarter)];
    while (first - last > 1) {
      const middle = Math.floor((last + first) / 2);
      if (offsetAt(middle * quarter) === before) last = middle;
      else first = middle;
    }
    return first * quarter;
  }

  return {
    startOf({ year, month, day }) {
      const asUtc = new Date(0);
      // Date.UTC would take the years 0 to 99 as 1900 to 1999.
      asUtc.setUTCFullYear(year, month - 1, day);
      const midnight = asUtc.getTime();
      // Wherever it is, it is that midnight at some moment in between.
      const [from, to] = [midnight - 24 * hour, midnight + 24 * hour];
      const [before, after] = [offsetAt(from), offsetAt(to)];
      if (before === after) return midnight - before;
      const change = changeBetween(from, to);
      // By the old offset midnight comes before the change, or else by the new one after it, or in the hour that is skipped.
      return midnight - before < change ? midnight - before : Math.max(change, midnight - after);
    },
    dayOf(at) {
      const local = new Date(at + offsetAt(at));
      return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
    },
    display(at) {
      const local = new Date(at + offsetAt(at));
      const clock = `${local.getUTCHours() % 12 || 12}:${String(local.getUTCMinutes()).padStart(2, '0')}`;
      const half = local.getUTCHours() < 12 ? 'am' : 'pm';
      return `${local.getUTCDate()} ${months[local.getUTCMonth()]} ${local.getUTCFullYear()} @${clock}${half}`;
    },
  };
}

const formats = new Map<string, Intl.DateTimeFormat>();

function readOffset(timeZone: string, at: number): number {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    formats.set(timeZone, format);
  }
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')!.value;
  // `GMT`, `GMT+05:30`; before there was standard time, also seconds.
  const match = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(name);
  if (match === null) throw new Error(`the offset of the time zone ${timeZone} cannot be read`);
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match;
  const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -offset : offset;
}
