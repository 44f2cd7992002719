import type { Context } from '#platform/context.ts';
import type { JobHandler, JobPayloads } from '#platform/jobs/job-table.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { clearLeftovers } from './clear-leftovers.ts';
import { completeExport, failExport } from './end-export.ts';
import { finalFailure, internalFailure, storageFailure } from './export-failure.ts';
import { beginRun, findExport, isNewestRun, type ExportKey } from '../store/export-store.ts';
import { StorageFault } from '#platform/files/storage-fault.ts';
import { RunOver } from './run-notes.ts';
import { writeFile } from './write-file.ts';

declare module '#platform/jobs/job-table.ts' {
  interface JobPayloads {
    /** One run of an export, from its beginning. */
    export: { readonly account_id: number; readonly request_id: string };
  }
}

/**
 * Runs an export from its beginning, whatever became of earlier runs.
 *
 * Only the newest run can end the export, and only while nobody cancelled it; whoever ends it makes the callback and the mail in the same
 * transaction. So a worker that is killed, or comes back from the dead, leaves no half file to be seen and no second callback.
 */
export const runExport: JobHandler<JobPayloads['export']> = async (
  context,
  payload,
  { signal, attempt, maxAttempts },
) => {
  const key: ExportKey = { accountId: payload.account_id, requestId: payload.request_id };
  const row = await beginRun(context.db, key, context.now());
  if (row === undefined) return clearEnded(context, key);
  const run = { ...key, run: row.run };
  try {
    await clearLeftovers(context, row, row.run - 1);
    const file = await writeFile(context, row, run, signal);
    if (!(await completeExport(context, run, file))) await context.exportFiles.delete(file.key);
  } catch (error) {
    // What a store that did not answer could not take back is cleared away when it does: the job runs again until then.
    if (error instanceof RunOver) return clearEnded(context, key);
    // A stop: the next process runs it again.
    signal.throwIfAborted();
    // A run that has taken over cleared away what this one was writing.
    if (!(await isNewestRun(context.db, run))) return clearEnded(context, key);
    const failure = finalFailure(error);
    if (failure === undefined && attempt < maxAttempts) throw error;
    context.log.error({ export: key.requestId, err: describeError(failure?.cause ?? error) }, 'an export failed');
    await failExport(
      context,
      run,
      failure?.message ?? (error instanceof StorageFault ? storageFailure : internalFailure),
    );
    await clearEnded(context, key);
  }
};

/** An export that has ended without a file must leave none: it was cancelled while no process ran it, or its file could not be noted. */
async function clearEnded(context: Context, key: ExportKey): Promise<void> {
  const row = await findExport(context.db, key);
  if (row?.status === 'cancelled' || row?.status === 'failed') await clearLeftovers(context, row);
}
