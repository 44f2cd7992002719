import type { Context } from '#platform/context.ts';
import type { JobHandler, JobPayloads } from '#platform/jobs/job-table.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { clearLeftovers } from './clear-leftovers.ts';
import { completeExport, failExport } from './end-export.ts';
import { finalFailure, internalFailure, storageFailure } from './export-failure.ts';
import type { LongRunKey } from '#platform/long-runs/long-runs.ts';
import { runLongJob } from '#platform/long-runs/run-job.ts';
import { exportRuns } from '../store/export-store.ts';
import { StorageFault } from '#platform/files/storage-fault.ts';
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
 * What ends the export makes the callback and the mail in the same transaction. So a worker that is killed, or comes back from the dead, leaves
 * no half file to be seen and no second callback.
 */
export const runExport: JobHandler<JobPayloads['export']> = async (context, payload, job) => {
  const key: LongRunKey = { accountId: payload.account_id, id: payload.request_id };
  const settle = (): Promise<void> => clearEnded(context, key);
  await runLongJob(context, exportRuns, key, job, {
    begin: { rows_total: null, rows_written: 0 },
    async work(row, run) {
      await clearLeftovers(context, row, row.run - 1);
      const file = await writeFile(context, row, run, job.signal);
      if (!(await completeExport(context, run, file))) await context.exportFiles.delete(file.key);
    },
    settle,
    // What a store that did not answer could not take back is cleared away when it does: the job runs again until then.
    over: settle,
    finalFailure,
    async fail(run, failure, error) {
      context.log.error({ export: key.id, err: describeError(failure?.cause ?? error) }, 'an export failed');
      const message = failure?.message ?? (error instanceof StorageFault ? storageFailure : internalFailure);
      await failExport(context, run, message);
    },
  });
};

/** An export that has ended without a file must leave none: it was cancelled while no process ran it, or its file could not be noted. */
async function clearEnded(context: Context, key: LongRunKey): Promise<void> {
  const row = await exportRuns.find(context.db, key);
  if (row?.status === 'cancelled' || row?.status === 'failed') await clearLeftovers(context, row);
}
