import type { Context } from '#platform/context.ts';
import { isJobAlive } from '#platform/jobs/jobs.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { clearLeftovers } from '../run/clear-leftovers.ts';
import { failAbandonedExport } from '../run/end-export.ts';
import { internalFailure } from '../run/export-failure.ts';
import {
  listExpiredExports,
  listUnfinishedExports,
  markExpired,
  type ExpiredPosition,
  type ExportRow,
} from '../store/export-store.ts';

const batch = 100;
/** Exports that are younger, in milliseconds, are not looked at: nearly all of them end before. */
const youth = 60_000;

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
  const { account_id: accountId, request_id: requestId } = row;
  try {
    await exportFiles.delete(row.file_key!);
    await markExpired(db, { accountId, requestId });
  } catch (error) {
    log.error({ export: requestId, err: describeError(error) }, 'the file of an expired export was not deleted');
  }
}

/**
 * Ends exports whose job is gone: a process that is killed in the last run that a job has leaves nobody behind who would. One that cannot be
 * ended does not keep the others from it.
 */
export async function endAbandonedExports(context: Context, signal: AbortSignal): Promise<void> {
  const before = new Date(context.now().getTime() - youth);
  for (const row of await listUnfinishedExports(context.db, before, batch)) {
    if (signal.aborted) return;
    const { account_id: accountId, request_id: requestId } = row;
    if (await isJobAlive(context.db, 'export', requestId)) continue;
    context.log.error({ export: requestId }, 'an export failed: its job is gone');
    try {
      const ended = await failAbandonedExport(context, { accountId, requestId }, internalFailure);
      if (ended) await clearLeftovers(context, row);
    } catch (error) {
      context.log.error({ export: requestId, err: describeError(error) }, 'an export whose job is gone was not ended');
    }
  }
}
