import { userActivityDays, type Faults } from '@roster/contract';
import { daysBetween, endOfDay, startOfDay } from '#platform/time/days.ts';

/**
 * A range of days in milliseconds since 1970: the start of the first day, and the end of the last.
 */
export interface Period {
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly before: number;
}

/**
 * Returns the period from one day to another (DDMMYYYY) in a time zone. Adds a fault if the days
 * are in the wrong order or too far apart.
 */
export function periodOf(fromDate: string, toDate: string, timeZone: string, faults: Faults): Period | undefined {
  const [first, last] = [dayOf(fromDate), dayOf(toDate)];
  const days = daysBetween(first, last) + 1;
  if (days < 1) return faults.add('out_of_range', 'must not be after to_date', 'data.from_date');
  if (days > userActivityDays) {
    return faults.add(
      'out_of_range',
      `must be at most ${userActivityDays} days from from_date on, both days counted, but the period has ${days} days`,
      'data.to_date',
    );
  }
  return { from: startOfDay(first, timeZone), before: endOfDay(last, timeZone) };
}

/** Converts DDMMYYYY to `YYYY-MM-DD`. */
function dayOf(digits: string): string {
  return `${digits.slice(4)}-${digits.slice(2, 4)}-${digits.slice(0, 2)}`;
}
