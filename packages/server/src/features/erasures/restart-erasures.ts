import type { Context } from '#platform/context.ts';
import { minute } from '#platform/time/intervals.ts';
import { addJob, aliveJobs } from '#platform/jobs/jobs.ts';
import { pagesOf } from '#platform/loops/pages-of.ts';
import { listUnfinishedErasures } from './store/erasure-store.ts';

const batch = 100;
/** Minimum age in milliseconds. Nearly all erasures finish sooner. */
const minAge = minute;

type Unfinished = Awaited<ReturnType<typeof listUnfinishedErasures>>[number];

/** Restarts unfinished erasures whose job no longer exists. */
export async function restartErasures(context: Context, signal: AbortSignal): Promise<void> {
  const before = new Date(context.now().getTime() - minAge);
  for await (const erasures of pagesOf(batch, (last: Unfinished | undefined) =>
    listUnfinishedErasures(context.db, before, batch, last?.request_id),
  )) {
    const ids = erasures.map(({ request_id: id }) => id);
    const alive = await aliveJobs(context.db, ['erase_traces'], ids);
    for (const { account_id, request_id } of erasures) {
      if (signal.aborted) return;
      if (alive.has(request_id)) continue;
      context.log.error({ erasure: request_id }, 'the job of an erasure is missing; restarting the erasure');
      await addJob(context.db, 'erase_traces', { account_id, request_id }, { key: request_id });
    }
  }
}
