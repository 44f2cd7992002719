import { sql } from 'kysely';

/**
 * SQL for the time of work that is due now and whose job decides again whether it is due. The clock
 * of the database also decides when a job runs. With another clock, a job could run too early and
 * find nothing due. The time is rounded down: a column rounds to the nearest millisecond, which can
 * be in the future.
 */
export const dueNow = sql<Date>`date_trunc('milliseconds', now())`;
