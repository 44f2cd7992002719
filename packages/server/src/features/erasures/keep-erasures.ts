import type { Context } from '#platform/context.ts';
import { addJob, isJobAlive } from '#platform/jobs/jobs.ts';
import { listUnfinishedErasures } from './store/erasure-store.ts';

const batch = 100;
/** Erasures that are younger, in milliseconds, are not looked at: nearly all of them end before. */
const youth = 60_000;

/** Goes on with erasures whose job was given up: nobody would erase the traces of those people any more. */
export async function keepErasures(context: Context, signal: AbortSignal): Promise<void> {
  const before = new Date(context.now().getTime() - youth);
  for (const { account_id, request_id } of await listUnfinishedErasures(context.db, before, batch)) {
    if (signal.aborted) return;
    if (await isJobAlive(context.db, 'erase_traces', request_id)) continue;
    context.log.error({ erasure: request_id }, 'the job of an erasure is gone; it is begun again');
    await addJob(context.db, 'erase_traces', { account_id, request_id }, { key: request_id });
  }
}
