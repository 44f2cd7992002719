import { Cron } from 'croner';

/** Reads a cron expression with five fields, in UTC; throws an Error that says what is allowed. */
export function readSchedule(text: string): string {
  try {
    if (text.trim().split(/\s+/).length !== 5) throw new Error('five fields');
    if (new Cron(text, { timezone: 'UTC' }).nextRun() === null) throw new Error('never');
  } catch {
    throw new Error(
      'must be a cron expression with five fields in UTC (minute, hour, day, month, weekday), such as `0 2 * * *`',
    );
  }
  return text;
}

/** Returns when a backup is due, if the last one began (or the installation was made) at `from`. */
export function dueAfter(schedule: string, from: Date): Date {
  // `readSchedule` refuses a schedule without a next time, so the default is never used.
  return new Cron(schedule, { timezone: 'UTC' }).nextRun(from) ?? new Date(8.64e15);
}
