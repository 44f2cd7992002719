import { userActivityDays, type Faults } from '@roster/contract';
import { daysBetween, endOfDay, startOfDay } from '#platform/time/days.ts';

/** The days that are asked for, as moments in milliseconds: from the start of the first day, before the end of the last. */
export interface Period {
  readonly from: number;
  readonly before: number;
}

/** The period of two days, DDMMYYYY, in a time zone; adds a fault when they are in the wrong order or too far apart. */
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

/** The eight digits as `YYYY-MM-DD`. */
function dayOf(digits: string): string {
  return `${digits.slice(4)}-${digits.slice(2, 4)}-${digits.slice(0, 2)}`;
}
