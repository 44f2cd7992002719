import type { Context } from '#platform/context.ts';
import { minute } from '#platform/time/intervals.ts';
import { addJob, isJobAlive } from '#platform/jobs/jobs.ts';
import { listUnfinishedErasures } from './store/erasure-store.ts';

const batch = 100;
/** Minimum age in milliseconds. Nearly all erasures finish sooner. */
const minAge = minute;

/** Restarts unfinished erasures whose job no longer exists. */
export async function restartErasures(context: Context, signal: AbortSignal): Promise<void> {
  const before = new Date(context.now().getTime() - minAge);
  for (const { account_id, request_id } of await listUnfinishedErasures(context.db, before, batch)) {
    if (signal.aborted) return;
    if (await isJobAlive(context.db, 'erase_traces', request_id)) continue;
    context.log.error({ erasure: request_id }, 'the job of an erasure is missing; restarting the erasure');
    await addJob(context.db, 'erase_traces', { account_id, request_id }, { key: request_id });
  }
}
