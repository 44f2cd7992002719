import { isOverQuota } from '#features/accounts/stored-files/file-quota.ts';
import type { Context } from '#platform/context.ts';
import type { JobHandler, JobPayloads } from '#platform/jobs/job-table.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { deleteAllLeftovers, deleteLeftovers } from './delete-leftovers.ts';
import { completeExport, failExport } from './end-export.ts';
import { finalFailure, internalFailure, storageFailure } from '../place/export-failure.ts';
import type { LongRunKey } from '#platform/long-runs/long-runs.ts';
import { runLongJob } from '#platform/long-runs/run-job.ts';
import { exportRuns } from '../store/export-store.ts';
import { StorageFault } from '#platform/files/storage-fault.ts';
import { openExportFiles } from '../place/export-files.ts';
import { writeFile } from './write-file.ts';

declare module '#platform/jobs/job-table.ts' {
  interface JobPayloads {
    /** One run of an export. */
    export: { readonly account_id: number; readonly request_id: string };
    /** One run of an export to a place in S3, which can be as slow as its owner wants. */
    export_to_s3: { readonly account_id: number; readonly request_id: string };
  }
}

/**
 * Runs an export. Every run begins at the first row.
 *
 * One transaction ends the export and creates its callback and mail. Therefore a killed worker
 * leaves no partial file, and the caller never gets a second callback.
 */
export const runExport: JobHandler<JobPayloads['export']> = async (context, payload, job) => {
  const key: LongRunKey = { accountId: payload.account_id, id: payload.request_id };
  const settle = (): Promise<void> => deleteLeftoversOfEnded(context, key);
  await runLongJob(context, exportRuns, key, job, {
    begin: { rows_total: null, rows_written: 0 },
    async work(row, run) {
      await using files = await openExportFiles(context, row);
      await deleteLeftovers(context, files.store, row, row.run - 1);
      const file = await writeFile(context, files.store, row, run, job.signal);
      const isUsed = await completeExport(context, row, run, file).catch(async (error: unknown) => {
        if (isOverQuota(error)) await files.store.delete(file.key);
        throw error;
      });
      if (!isUsed) await files.store.delete(file.key);
    },
    settle,
    // If the file store is unreachable now, the job fails here and runs again later.
    over: settle,
    finalFailure,
    async fail(run, failure, error) {
      context.log.error({ export: key.id, err: describeError(failure?.cause ?? error) }, 'an export failed');
      const message = failure?.message ?? (error instanceof StorageFault ? storageFailure : internalFailure);
      await failExport(context, run, message);
    },
  });
};

async function deleteLeftoversOfEnded(context: Context, key: LongRunKey): Promise<void> {
  const row = await exportRuns.find(context.db, key);
  if (row?.status === 'cancelled' || row?.status === 'failed') await deleteAllLeftovers(context, row);
}
