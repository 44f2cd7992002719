import type { Context } from '#platform/context.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { aliveJobs } from '#platform/jobs/jobs.ts';
import { pagesOf } from '#platform/loops/pages-of.ts';
import { minute } from '#platform/time/intervals.ts';
import type { LongRunKey, LongRuns, RunRow } from './long-runs.ts';

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
  const before = new Date(now().getTime() - minAge);
  const names = runs.kind.jobs ?? [runs.kind.name];
  for await (const keys of pagesOf(batch, (last: LongRunKey | undefined) =>
    runs.listUnfinished(db, before, batch, last?.id),
  )) {
    const alive = await aliveJobs(
      db,
      names,
      keys.map(({ id }) => id),
    );
    for (const key of keys) {
      if (signal.aborted) return;
      const row = alive.has(key.id) ? undefined : await runs.find(db, key);
      if (row !== undefined) yield row;
    }
  }
}
