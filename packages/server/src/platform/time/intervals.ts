/** Milliseconds of a second, a minute, an hour, and a day without a change of the clocks. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const millisecondsPerDay = 24 * hour;

/** Returns the moment that is `days` times 24 hours before another moment. */
export function daysBefore(moment: Date, days: number): Date {
  return new Date(moment.getTime() - days * millisecondsPerDay);
}
