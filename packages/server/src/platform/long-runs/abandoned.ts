import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { isJobAlive } from '#platform/jobs/jobs.ts';
import { minute } from '#platform/time/intervals.ts';
import type { LongRuns, RunRow } from './long-runs.ts';

const batch = 100;

/** Ignore runs younger than this many milliseconds. Nearly all of them still have their job. */
export const minAge = minute;

/**
 * Finds unfinished runs without a job, the oldest first. A run loses its job when a process is
 * killed during the last attempt. Ends when the signal is aborted.
 */
export async function* abandonedRuns<Table extends keyof Tables>(
  { db, now }: Pick<Context, 'db' | 'now'>,
  runs: LongRuns<Table>,
  signal: AbortSignal,
): AsyncGenerator<RunRow<Table>> {
  for (const row of await runs.listUnfinished(db, new Date(now().getTime() - minAge), batch)) {
    if (signal.aborted) return;
    if (!(await hasJob(db, runs, row))) yield row;
  }
}

async function hasJob<Table extends keyof Tables>(
  db: Database,
  { kind }: LongRuns<Table>,
  row: RunRow<Table>,
): Promise<boolean> {
  for (const name of kind.jobs ?? [kind.name]) {
    if (await isJobAlive(db, name, String(row[kind.id]))) return true;
  }
  return false;
}
