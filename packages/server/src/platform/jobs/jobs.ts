import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { jobSchema } from '#platform/database/schema/job-schema.ts';
import type { JobName, JobPayloads } from './job-table.ts';

/** The channel that tells workers about new jobs. The payload of a notification is their kind. */
export const jobsChannel = 'roster_jobs';

/** Options of a job. */
export interface JobOptions {
  /** The earliest time of the first run; default: at once. */
  readonly runAt?: Date;
  /** Replaces a waiting job of the same name and key, but not a running one. Default: no key. */
  readonly key?: string;
  /**
   * Jobs of the same name and queue run one after the other, even in different processes. At most
   * 100 characters. Default: no queue.
   *
   * Use it for few queues of long jobs. Up to half a second passes between two jobs, and each
   * search for work reads every queue that was ever used.
   */
  readonly queue?: string;
  /**
   * Jobs of a kind with a smaller number run first, then those that waited longer. From 0 to 32,767;
   * default 0.
   */
  readonly priority?: number;
  /** How many runs the job has before it is given up; default 25, about three days. */
  readonly maxAttempts?: number;
}

/** A job to add. */
export type NewJob<Name extends JobName> = JobOptions & { readonly payload: JobPayloads[Name] };

/** Adds a job that runs after the commit of the transaction, and never after a rollback. */
export async function addJob<Name extends JobName>(
  trx: Database,
  name: Name,
  payload: JobPayloads[Name],
  options: JobOptions = {},
): Promise<void> {
  await addJobs(trx, name, [{ ...options, payload }]);
}

/** Adds jobs of one kind like {@link addJob}, in one statement. */
export async function addJobs<Name extends JobName>(
  trx: Database,
  name: Name,
  jobs: readonly NewJob<Name>[],
): Promise<void> {
  // The library has one namespace for the keys and queues of all kinds.
  const own = (text: string | undefined): string | null => (text === undefined ? null : `${name}:${text}`);
  await addedJobs(
    name,
    sql`
      select * from unnest(
        ${jobs.map(({ payload }) => JSON.stringify(payload))}::text[], ${jobs.map(({ queue }) => own(queue))}::text[],
        ${jobs.map(({ runAt }) => runAt?.toISOString() ?? null)}::timestamptz[],
        ${jobs.map(({ maxAttempts }) => maxAttempts ?? null)}::int[], ${jobs.map(({ key }) => own(key))}::text[],
        ${jobs.map(({ priority }) => priority ?? null)}::int[]
      ) as job (payload, queue, run_at, max_attempts, key, priority)`,
  ).execute(trx);
}

/**
 * Returns a query that adds jobs of one kind, as a part of a larger statement. The query `jobs`
 * returns the columns `payload` (JSON or its text), `queue`, `run_at`, `max_attempts`, `key` and `priority`.
 * Null means the default. If `jobs` returns no rows, nothing happens.
 */
export function addedJobs(name: JobName, jobs: RawBuilder<unknown>): RawBuilder<unknown> {
  const schema = sql.id(jobSchema);
  return sql`
    select 1 from (
      select array_agg((${name}, payload::json, queue, run_at, max_attempts, key, priority, null)::${schema}.job_spec) as specs,
        -- A cluster cannot pass on a column of the type void.
        pg_notify(${jobsChannel}, ${name})::text
      from (${jobs}) as job having count(*) > 0
    ) as found, ${schema}.add_jobs(found.specs)`;
}

/** Returns true when a job of a name and key waits, runs, or will run again. */
export async function isJobAlive(db: Database, name: JobName, key: string): Promise<boolean> {
  return (await aliveJobs(db, [name], [key])).size > 0;
}

/** Returns the keys for which a job with one of the names waits, runs, or will run again. */
export async function aliveJobs(
  db: Database,
  names: readonly JobName[],
  keys: readonly string[],
): Promise<Set<string>> {
  const all = names.flatMap((name) => keys.map((key) => `${name}:${key}`));
  const { rows } = await sql<{ key: string }>`
    select key from ${sql.id(jobSchema)}.jobs
    where key = any(${all}::text[]) and (attempts < max_attempts or locked_at is not null)`.execute(db);
  return new Set(rows.map(({ key }) => key.slice(key.indexOf(':') + 1)));
}
