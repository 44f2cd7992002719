import type { Context } from '#platform/context.ts';
import { abandonedRuns } from '#platform/long-runs/abandoned.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { clearLeftovers } from '../run/clear-leftovers.ts';
import { failAbandonedExport } from '../run/end-export.ts';
import { internalFailure } from '../run/export-failure.ts';
import {
  exportRuns,
  keyOf,
  listExpiredExports,
  markExpired,
  type ExpiredPosition,
  type ExportRow,
} from '../store/export-store.ts';

const batch = 100;

/**
 * Deletes the files that have expired. The file goes first: what is written down as deleted is. One that cannot be deleted does not keep the
 * others from it, and is tried again by the next call.
 */
export async function deleteExpiredFiles(context: Context, signal: AbortSignal): Promise<void> {
  const moment = context.now();
  let after: ExpiredPosition | undefined;
  for (;;) {
    const expired = await listExpiredExports(context.db, moment, after, batch);
    for (const row of expired) {
      if (signal.aborted) return;
      await deleteFile(context, row);
    }
    if (expired.length < batch) return;
    after = expired.at(-1);
  }
}

async function deleteFile({ db, exportFiles, log }: Context, row: ExportRow): Promise<void> {
  try {
    await exportFiles.delete(row.file_key!);
    await markExpired(db, keyOf(row));
  } catch (error) {
    log.error({ export: row.request_id, err: describeError(error) }, 'the file of an expired export was not deleted');
  }
}

/**
 * Ends exports whose job is gone: a process that is killed in the last run that a job has leaves nobody behind who would. One that cannot be
 * ended does not keep the others from it.
 */
export async function endAbandonedExports(context: Context, signal: AbortSignal): Promise<void> {
  for await (const row of abandonedRuns(context, exportRuns, signal)) {
    const { request_id: requestId } = row;
    context.log.error({ export: requestId }, 'an export failed: its job is gone');
    try {
      const ended = await failAbandonedExport(context, keyOf(row), internalFailure);
      if (ended) await clearLeftovers(context, row);
    } catch (error) {
      context.log.error({ export: requestId, err: describeError(error) }, 'an export whose job is gone was not ended');
    }
  }
}
