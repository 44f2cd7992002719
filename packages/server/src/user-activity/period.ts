import { userActivityDays, type Faults } from '@roster/contract';
import { localTime, type Day, type LocalTime } from './local-time.ts';

/** The days that are asked for, as moments: from the beginning of the first day to the end of the last, which is not in it. */
export interface Period {
  readonly from: number;
  readonly before: number;
  readonly local: LocalTime;
}

const millisecondsPerDay = 86_400_000;

/** The period of two days, DDMMYYYY, in a time zone; adds a fault when they are in the wrong order or too far apart (decisions §6). */
export function periodOf(fromDate: string, toDate: string, timeZone: string, faults: Faults): Period | undefined {
  const days = (numberOf(dayOf(toDate)) - numberOf(dayOf(fromDate))) / millisecondsPerDay + 1;
  if (days < 1) return faults.add('out_of_range', 'must not be after to_date', 'data.from_date');
  if (days > userActivityDays) {
    return faults.add(
      'out_of_range',
      `must be at most ${userActivityDays} days with from_date, both counted; it is ${days}`,
      'data.to_date',
    );
  }
  const local = localTime(timeZone);
  const next = new Date(numberOf(dayOf(toDate)) + millisecondsPerDay);
  const dayAfter = { year: next.getUTCFullYear(), month: next.getUTCMonth() + 1, day: next.getUTCDate() };
  return { from: local.startOf(dayOf(fromDate)), before: local.startOf(dayAfter), local };
}

function dayOf(digits: string): Day {
  return { day: Number(digits.slice(0, 2)), month: Number(digits.slice(2, 4)), year: Number(digits.slice(4)) };
}

/** A day as a number that counts days of the calendar, in milliseconds. */
function numberOf({ year, month, day }: Day): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime();
}
