import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Context } from '#platform/context.ts';
import { addJob, type JobOptions } from '#platform/jobs/jobs.ts';
import type { JobHandler, JobPayloads, JobRun } from '#platform/jobs/job-table.ts';

/** A run of a job, as its handler was called. */
export interface Run extends JobRun {
  readonly id: string;
}

/** A handler that records its runs, and lets a test wait for them. */
export interface Runs {
  readonly handler: JobHandler<JobPayloads['deliver']>;
  readonly list: readonly Run[];
  /** Resolves with the list when `count` runs have begun. */
  reached(count: number): Promise<readonly Run[]>;
}

/** Creates a handler that calls `work` in each run. */
export function recordRuns(work: (run: Run) => Promise<void> | void = () => undefined): Runs {
  const list: Run[] = [];
  let next = Promise.withResolvers<void>();
  return {
    list,
    handler: async (_context, { delivery_id: id }, run) => {
      list.push({ ...run, id });
      next.resolve();
      next = Promise.withResolvers();
      await work(list.at(-1)!);
    },
    async reached(count) {
      while (list.length < count) await next.promise;
      return list;
    },
  };
}

/** Adds a job with an id, in a separate transaction. */
export async function add(context: Context, id: string, options?: JobOptions): Promise<void> {
  await context.db.transaction().execute((trx) => addJob(trx, 'deliver', { account_id: 1, delivery_id: id }, options));
}

/**
 * Waits until PostgreSQL has closed the connection of a killed process, and only `processes` job
 * processes are left.
 */
export async function leftRunning({ db }: Context, processes: number): Promise<void> {
  const leases = sql`
    select from pg_stat_activity where datname = current_database() and application_name = 'roster jobs lease'`;
  await expect.poll(async () => (await leases.execute(db)).rows.length).toBe(processes);
}

/** Never resolves. Rejects when the signal is aborted. */
export async function hang(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(new Error('told to end'));
    signal.addEventListener('abort', () => reject(new Error('told to end')));
  });
}
