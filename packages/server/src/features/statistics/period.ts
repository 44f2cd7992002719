import { defaultStatisticsDays, statisticsDays, type Faults } from '@roster/contract';
import { addDays, dayAt, daysBetween } from '#platform/time/days.ts';

/** Days of statistics, `YYYY-MM-DD`, in a time zone. */
export interface Period {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
}

/** The first day that a query can have. PostgreSQL cannot read the days of the year 0. */
const firstDay = '0001-01-01';

/** The query fields of a period. */
export interface GivenPeriod {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Adds a fault if the days of a query are in the wrong order or too far apart. */
export function checkPeriod({ from, to }: GivenPeriod, faults: Faults): void {
  if (from === undefined || to === undefined) return;
  const days = daysBetween(from, to) + 1;
  if (days < 1) faults.add('out_of_range', 'must not be after to', 'from');
  else if (days > statisticsDays) {
    const message = `must be at most ${statisticsDays} days from from on, both days counted, but the period has ${days} days`;
    faults.add('out_of_range', message, 'to');
  }
}

/**
 * Returns the days of a query. A missing `to` is today, or as many days after `from` as an answer
 * has, if `from` is long ago. A missing `from` is 30 days that end with `to`, or fewer if the calendar
 * begins later.
 */
export function periodOf({ from, to }: GivenPeriod, timeZone: string, now: number): Period {
  const today = dayAt(now, timeZone);
  if (from === undefined) {
    const last = to ?? today;
    const first = addDays(last, 1 - defaultStatisticsDays);
    return { from: first < firstDay ? firstDay : first, to: last, timeZone };
  }
  if (to !== undefined) return { from, to, timeZone };
  const days = Math.min(Math.max(daysBetween(from, today) + 1, 1), statisticsDays);
  return { from, to: addDays(from, days - 1), timeZone };
}

/** Returns all days of a period, oldest first. */
export function daysOf({ from, to }: Pick<Period, 'from' | 'to'>): string[] {
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index));
}
