/** Milliseconds of a day without a change of the clocks. */
export const millisecondsPerDay = 86_400_000;

/** Returns the moment that is `days` times 24 hours before another moment. */
export function daysBefore(moment: Date, days: number): Date {
  return new Date(moment.getTime() - days * millisecondsPerDay);
}
