import { scheduleLimits } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { abandonedRuns } from '#platform/long-runs/abandoned.ts';
import { deleteInSteps } from '#platform/loops/delete-in-steps.ts';
import { daysBefore } from '#platform/time/intervals.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { deleteAllLeftovers } from '../run/delete-leftovers.ts';
import { failAbandonedExport } from '../run/end-export.ts';
import { internalFailure } from '../place/export-failure.ts';
import {
  deleteExportsBefore,
  exportRuns,
  keyOf,
  listExpiredExports,
  listOldLeftovers,
  markExpired,
  type ExpiredPosition,
  type ExpiredExport,
} from '../store/export-store.ts';
import { deleteRunsBefore } from '../store/schedule-run-store.ts';

const batch = 100;

/** Deletes expired files. If a file cannot be deleted, continues, and the next call tries again. */
export async function deleteExpiredFiles(context: Context, signal: AbortSignal): Promise<void> {
  const now = context.now();
  let after: ExpiredPosition | undefined;
  for (;;) {
    const expired = await listExpiredExports(context.db, now, after, batch);
    for (const row of expired) {
      if (signal.aborted) return;
      await deleteFile(context, row);
    }
    if (expired.length < batch) return;
    after = expired.at(-1);
  }
}

async function deleteFile({ db, exportFiles, log }: Context, row: ExpiredExport): Promise<void> {
  try {
    // Delete first: the export must not say that the file is deleted while it exists. Files in S3
    // belong to the customer.
    if (row.place === null) await exportFiles.delete(row.file_key!);
    await markExpired(db, keyOf(row));
  } catch (error) {
    log.error({ export: row.request_id, err: describeError(error) }, 'could not delete the file of an expired export');
  }
}

/** Ends exports without a job. A job is lost when its process is killed in the last attempt. */
export async function endAbandonedExports(context: Context, signal: AbortSignal): Promise<void> {
  for await (const row of abandonedRuns(context, exportRuns, signal)) {
    const { request_id: requestId } = row;
    context.log.error({ export: requestId }, 'ended an export that has no job');
    try {
      const ended = await failAbandonedExport(context, keyOf(row), internalFailure);
      if (ended) await deleteAllLeftovers(context, row);
    } catch (error) {
      context.log.error({ export: requestId, err: describeError(error) }, 'could not end an export that has no job');
    }
  }
}

/**
 * Deletes old exports: `config.exportRetentionDays` after their file expired, or after they ended
 * without a file.
 *
 * First deletes their unfinished files in the file store. If that fails, the export stays.
 */
export async function deleteOldExports(context: Context, signal: AbortSignal): Promise<void> {
  const before = daysBefore(context.now(), context.config.exportRetentionDays);
  for (const key of await listOldLeftovers(context.db, before, batch)) {
    if (signal.aborted) return;
    try {
      const row = await exportRuns.find(context.db, key);
      if (row !== undefined) await deleteAllLeftovers(context, row);
    } catch (error) {
      const err = describeError(error);
      context.log.error({ export: key.id, err }, 'could not delete the unfinished files of an old export');
    }
  }
  await deleteInSteps(signal, (limit) => deleteExportsBefore(context.db, before, limit));
}

/** Deletes old entries of the histories of schedules. */
export async function deleteOldRuns({ db, now }: Context, signal: AbortSignal): Promise<void> {
  const before = daysBefore(now(), scheduleLimits.historyDays);
  await deleteInSteps(signal, (limit) => deleteRunsBefore(db, before, limit));
}
