import type { Faults, PartlyRead, ScheduleTiming, Weekday } from '@roster/contract';
import { Cron } from 'croner';
import type { Temporal } from 'temporal-polyfill';
import { zonedTime } from '#platform/time/days.ts';

/** The numbers of weekdays in ISO 8601. */
const weekdayNumbers: Readonly<Record<Weekday, number>> = {
  monday: 1,
  tuesday: 2,
  wednesday: 3,
  thursday: 4,
  friday: 5,
  saturday: 6,
  sunday: 7,
};

/** Fields that each kind of timing needs. The others must be absent. */
const fieldsOf = {
  day: ['at'],
  week: ['at', 'weekdays'],
  month: ['at', 'day'],
  cron: ['cron'],
} as const;

/** Checks a timing. Adds faults below `timing`. */
export function checkTiming(timing: PartlyRead<ScheduleTiming>, faults: Faults): void {
  const { every } = timing;
  if (every === undefined) return;
  const before = faults.count;
  const needed: readonly string[] = fieldsOf[every];
  for (const field of ['at', 'weekdays', 'day', 'cron'] as const) {
    const isGiven = field in timing;
    if (needed.includes(field) && !isGiven) faults.add('required', `is required if every is ${every}`, field);
    if (!needed.includes(field) && isGiven) faults.add('not_allowed', `must be left out if every is ${every}`, field);
  }
  if (every === 'cron' && typeof timing.cron === 'string' && !isCron(timing.cron)) {
    faults.add(
      'invalid_format',
      'must be a cron expression with five fields (minute, hour, day, month, weekday) and a next time, such as 0 6 * * 1-5',
      'cron',
    );
  }
  if (faults.count > before) faults.prefix(before, 'timing');
}

function isCron(text: string): boolean {
  try {
    return text.trim().split(/\s+/).length === 5 && new Cron(text, { timezone: 'UTC' }).nextRun() !== null;
  } catch {
    return false;
  }
}

/**
 * Returns the first time after a moment at which a schedule is due, in a time zone.
 *
 * - A time that a clock change skips is moved to the first moment after it.
 * - A time that a clock change repeats is due once, the first time.
 */
export function dueAfter(timing: ScheduleTiming, timeZone: string, after: Date): Date {
  if (timing.every !== 'cron') return dayTimeAfter(timing, timeZone, after);
  const time = new Cron(timing.cron!, { timezone: timeZone }).nextRun(after);
  if (time === null) throw new Error('the timing of an export schedule has no next time');
  return time;
}

function dayTimeAfter(timing: ScheduleTiming, timeZone: string, after: Date): Date {
  const local = zonedTime(after.getTime(), timeZone);
  // Begin a day earlier: a clock change can move the time of a day to the next day.
  for (let day = local.toPlainDate().subtract({ days: 1 }); ; day = day.add({ days: 1 })) {
    if (!isDueOn(timing, day)) continue;
    const time = momentOf(day.toPlainDateTime(timing.at), local.timeZoneId);
    if (time > after.getTime()) return new Date(time);
  }
}

function isDueOn({ every, weekdays = [], day = 1 }: ScheduleTiming, date: Temporal.PlainDate): boolean {
  switch (every) {
    case 'week':
      return weekdays.some((name) => weekdayNumbers[name] === date.dayOfWeek);
    case 'month':
      // In a month without the day, the schedule runs on its last day.
      return date.day === Math.min(day, date.daysInMonth);
    default:
      return true;
  }
}

/** Returns when the clocks show a time first. For a skipped time: the first moment after it. */
function momentOf(time: Temporal.PlainDateTime, timeZone: string): number {
  const found = time.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  const isSkipped = !found.toPlainDateTime().equals(time);
  return (isSkipped ? found.getTimeZoneTransition('next')! : found).epochMilliseconds;
}

/** Counts the due times after one moment and up to another, at most `limit`. */
export function countDue(
  timing: ScheduleTiming,
  timeZone: string,
  { after, upTo }: { readonly after: Date; readonly upTo: Date },
  limit: number,
): number {
  let count = 0;
  let time = after;
  while (count < limit) {
    time = dueAfter(timing, timeZone, time);
    if (time > upTo) return count;
    count++;
  }
  return count;
}
