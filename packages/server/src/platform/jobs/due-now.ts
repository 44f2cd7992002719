import { sql } from 'kysely';

/**
 * SQL for the time of work that is due now and whose job decides again whether it is due. The clock
 * of the database also decides when a job runs. With another clock, a job could run too early and
 * find nothing due. The time is rounded down: a column rounds to the nearest millisecond, which can
 * be in the future.
 */
export const dueNow = sql<Date>`date_trunc('milliseconds', now())`;

/** The columns of a delivery that is due now, with a new cycle of attempts that begins at `at`. */
export const newCycle = (at: Date) => ({
  attempts_before_cycle: sql<number>`attempts`,
  cycle_started_at: at,
  next_attempt_at: dueNow,
});
