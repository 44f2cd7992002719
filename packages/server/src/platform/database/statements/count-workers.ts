import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import { advisoryLocks } from './advisory-locks.ts';

/** Returns the number of worker processes that are alive: each holds the lock of its lease. */
export async function countWorkers(db: Database): Promise<number> {
  const { rows } = await sql<{ workers: number }>`
    select count(distinct pid)::int as workers from pg_locks
    where locktype = 'advisory' and classid = ${advisoryLocks.jobLease} and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows[0]!.workers;
}
