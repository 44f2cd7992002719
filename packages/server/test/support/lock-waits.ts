/**
 * Returns a row for each statement of this database that waits for a lock. Other test files share the
 * server. In a transaction, PostgreSQL would repeat its first answer.
 */
export const lockWaits = `
  select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
