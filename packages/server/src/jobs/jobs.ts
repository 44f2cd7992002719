import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { jobSchema } from './job-schema.ts';
import type { JobName, JobPayloads } from './job-table.ts';

/** How a job is run. */
export interface JobOptions {
  /** Not before; default: at once. */
  readonly runAt?: Date;
  /** A waiting job of the same name and key is replaced; one that runs already is not, and both run. Default: none. */
  readonly key?: string;
  /**
   * Jobs of the same name and queue run one after the other, over all processes; default: none.
   *
   * For few queues of long jobs: some tenths of a second pass between two of them, and each look for work visits every queue there ever was.
   * At most 100 characters.
   */
  readonly queue?: string;
  /** Runs before the job is given up; default 25, which is about three days. */
  readonly maxAttempts?: number;
}

/** Adds a job that runs once the transaction is committed, and never when it is rolled back. */
export async function addJob<Name extends JobName>(
  trx: Database,
  name: Name,
  payload: JobPayloads[Name],
  { runAt, key, queue, maxAttempts }: JobOptions = {},
): Promise<void> {
  // Keys and queues have one space for all names.
  const ownKey = key === undefined ? null : `${name}:${key}`;
  const ownQueue = queue === undefined ? null : `${name}:${queue}`;
  await sql`
    select ${sql.id(jobSchema)}.add_job(
      identifier => ${name}, payload => ${JSON.stringify(payload)}::json, queue_name => ${ownQueue},
      run_at => ${runAt ?? null}, max_attempts => ${maxAttempts ?? null}, job_key => ${ownKey})`.execute(trx);
}

/** True when a job of a name and key waits, runs, or will run again. */
export async function isJobAlive(db: Database, name: JobName, key: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${sql.id(jobSchema)}.jobs
    where key = ${`${name}:${key}`} and (attempts < max_attempts or locked_at is not null)`.execute(db);
  return rows.length > 0;
}
