import type { BulkChangeFailureCode } from '@roster/contract';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import type { Changes, LongRun, LongRunKey } from '#platform/long-runs/long-runs.ts';
import { withdrawRequest } from '#pipeline/queue/withdraw.ts';
import { bulkChangeRuns, forgetFilter, type BulkChangeRow } from '../store/bulk-change-store.ts';
import { countApplied, deleteChunks, listWaiting } from '../store/chunk-store.ts';
import { waitForRequests } from '#pipeline/accept/wait-for-requests.ts';

/** Ends a bulk change whose contacts were all changed or failed. Throws a `RunOver`. */
export async function completeBulkChange(context: Context, run: LongRun): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const ended = await bulkChangeRuns.end(trx, run, { status: 'completed', finished_at: context.now() });
    if (ended === undefined) throw bulkChangeRuns.over();
    if (ended.action.type === 'erase') await forgetFilter(trx, run);
    const { changed, unchanged, failed } = ended;
    await writeAudit(trx, context, {
      accountId: run.accountId,
      actor: 'system',
      action: 'bulk-change.complete',
      subject: `bulk-change:${run.id}`,
      details: { action: ended.action.type, changed, unchanged, failed },
    });
  });
}

/** Ends a bulk change as failed, unless it has already ended. {@link settle} does the rest. */
export async function failBulkChange(context: Context, run: LongRun, code: BulkChangeFailureCode): Promise<void> {
  await bulkChangeRuns.end(context.db, run, { status: 'failed', finished_at: context.now(), failure_code: code });
}

/**
 * Ends a bulk change from outside of its runs, and adds the job that calls {@link settle}. Returns
 * undefined when it has already ended.
 */
export async function endWithoutRun(
  trx: Database,
  key: LongRunKey,
  end: Changes<'bulk_changes'>,
): Promise<BulkChangeRow | undefined> {
  const row = await bulkChangeRuns.endUnfinished(trx, key, end);
  if (row !== undefined) await addJob(trx, 'bulk_change', { account_id: key.accountId, bulk_change_id: key.id });
  return row;
}

/**
 * Does the remaining work for a bulk change that has ended: withdraws its requests that still wait,
 * counts the others, and deletes its chunks. A second call changes nothing.
 */
export async function settle(context: Context, key: LongRunKey, signal: AbortSignal): Promise<void> {
  const row = await bulkChangeRuns.find(context.db, key);
  if (row === undefined || row.finished_at === null) return;
  for (const requestId of await listWaiting(context.db, key)) {
    await withdrawRequest(context.pool, key.accountId, requestId, context.now());
  }
  await waitForRequests(() => countApplied(context.db, key), { below: 1, signal });
  await deleteChunks(context.db, key);
  if (row.action.type === 'erase') await forgetFilter(context.db, key);
}
