import { bulkChangeLimits } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { isJobAlive } from '#platform/jobs/jobs.ts';
import { abandonedRuns, minAge } from '#platform/long-runs/abandoned.ts';
import { deleteInSteps } from '#platform/loops/delete-in-steps.ts';
import { daysBefore } from '#platform/time/intervals.ts';
import { endWithoutRun, settle } from '../run/end-bulk-change.ts';
import {
  deleteBulkChange,
  deleteFailures,
  keyOf,
  listEndedBefore,
  listWithLeftovers,
  bulkChangeRuns,
} from '../store/bulk-change-store.ts';

const batch = 100;

/** Ends bulk changes that have lost their job, and settles those that have ended. */
export async function endAbandonedBulkChanges(context: Context, signal: AbortSignal): Promise<void> {
  for await (const row of abandonedRuns(context, bulkChangeRuns, signal)) {
    const failed = { status: 'failed', finished_at: context.now(), failure_code: 'internal' } as const;
    const ended = await context.db.transaction().execute((trx) => endWithoutRun(trx, keyOf(row), failed));
    if (ended !== undefined) context.log.warn({ bulk_change: row.bulk_change_id }, 'ended a bulk change without a job');
  }
  const before = new Date(context.now().getTime() - minAge);
  for (const row of await listWithLeftovers(context.db, before, batch)) {
    if (signal.aborted) return;
    if (await isJobAlive(context.db, 'bulk_change', row.bulk_change_id)) continue;
    await settle(context, keyOf(row), signal);
  }
}

/** Deletes bulk changes that ended some days ago, with their failures. */
export async function deleteOldBulkChanges(context: Context, signal: AbortSignal): Promise<void> {
  const before = daysBefore(context.now(), bulkChangeLimits.keptDays);
  for (;;) {
    const ended = await listEndedBefore(context.db, before, batch);
    for (const row of ended) {
      await deleteInSteps(signal, (limit) => deleteFailures(context.db, keyOf(row), limit));
      if (signal.aborted) return;
      await deleteBulkChange(context.db, keyOf(row));
    }
    if (ended.length < batch) return;
  }
}
