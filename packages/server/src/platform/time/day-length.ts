/** Milliseconds of a day without a change of the clocks. */
export const millisecondsPerDay = 86_400_000;

/** The moment that is a number of such days before another. */
export function daysBefore(moment: Date, days: number): Date {
  return new Date(moment.getTime() - days * millisecondsPerDay);
}
