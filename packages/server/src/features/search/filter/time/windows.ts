import type { WindowDays } from '#features/registry/derived/derived-fields.ts';
import { addDays, dayAt, startOfDay } from '#platform/time/days.ts';
import type { Clock } from './relative-dates.ts';

/**
 * Returns the beginning of the window of a count, in milliseconds since 1970: the beginning of a day
 * in the time zone of the account, as with `in_last`.
 */
export function startOfWindow(days: WindowDays, { now, timeZone }: Clock): number {
  return startOfDay(addDays(dayAt(now, timeZone), -days), timeZone);
}
