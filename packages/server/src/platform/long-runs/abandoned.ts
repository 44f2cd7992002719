import type { Context } from '#platform/context.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { isJobAlive } from '#platform/jobs/jobs.ts';
import { minute } from '#platform/time/intervals.ts';
import type { LongRuns, RunRow } from './long-runs.ts';

const batch = 100;

/** Work that was made less than this ago, in milliseconds, is left to its job: nearly all of it ends before. */
export const youth = minute;

/**
 * Finds long work without a job that has not ended: nobody would end it when a process is killed in the last run that its job has. The oldest
 * comes first; ends when the signal is aborted.
 */
export async function* abandonedRuns<Table extends keyof Tables>(
  { db, now }: Pick<Context, 'db' | 'now'>,
  runs: LongRuns<Table>,
  signal: AbortSignal,
): AsyncGenerator<RunRow<Table>> {
  for (const row of await runs.listUnfinished(db, new Date(now().getTime() - youth), batch)) {
    if (signal.aborted) return;
    if (!(await isJobAlive(db, runs.kind.name, String(row[runs.kind.id])))) yield row;
  }
}
