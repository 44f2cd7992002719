import type { Faults, PartlyRead, ScheduleTiming, Weekday } from '@roster/contract';
import { Cron } from 'croner';

const cronDays: Readonly<Record<Weekday, number>> = {
  monday: 1,
  tuesday: 2,
  wednesday: 3,
  thursday: 4,
  friday: 5,
  saturday: 6,
  sunday: 0,
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
  const times = patternsOf(timing).map((pattern) => new Cron(pattern, { timezone: timeZone }).nextRun(after));
  const known = times.flatMap((time) => time?.getTime() ?? []);
  if (known.length === 0) throw new Error('the timing of an export schedule has no next time');
  return new Date(Math.min(...known));
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

/** Returns cron patterns whose times together are those of a timing. */
function patternsOf({ every, at = '', weekdays = [], day = 1, cron = '' }: ScheduleTiming): string[] {
  const [hour, minute] = at.split(':').map(Number);
  const time = `${minute} ${hour}`;
  switch (every) {
    case 'day':
      return [`${time} * * *`];
    case 'week':
      return [`${time} * * ${weekdays.map((name) => cronDays[name]).join(',')}`];
    case 'month':
      return monthPatterns(time, day);
    case 'cron':
      return [cron];
  }
}

/** In a month without the day, the schedule runs on its last day. */
function monthPatterns(time: string, day: number): string[] {
  if (day <= 28) return [`${time} ${day} * *`];
  if (day === 31) return [`${time} L * *`];
  // Only February is shorter. Both patterns have the same time in a leap year with day 29.
  return [`${time} ${day} * *`, `${time} L 2 *`];
}
