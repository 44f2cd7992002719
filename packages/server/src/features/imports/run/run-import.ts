import type { ImportFailureCode } from '@roster/contract';
import { sql } from 'kysely';
import { isOverQuota } from '#features/accounts/stored-files/file-quota.ts';
import { isDiskFull, StorageFault } from '#platform/files/storage-fault.ts';
import type { JobHandler, JobPayloads } from '#platform/jobs/job-table.ts';
import type { LongRunKey } from '#platform/long-runs/long-runs.ts';
import { runLongJob } from '#platform/long-runs/run-job.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { applyFile } from './apply-file.ts';
import { completeImport, failImport, settle } from './end-import.ts';
import { ImportFailure } from '../store/import-failure.ts';
import { importRuns } from '../store/import-store.ts';
import { dryRun } from './dry-run.ts';
import { survey } from './survey.ts';

declare module '#platform/jobs/job-table.ts' {
  interface JobPayloads {
    /** One run of an import, or the remaining work for an import that has ended. */
    import: { readonly account_id: number; readonly import_id: string };
  }
}

/**
 * Runs an import from where the previous run stopped. If the import has ended, does the remaining
 * work instead (see {@link settle}).
 */
export const runImport: JobHandler<JobPayloads['import']> = async (context, payload, job) => {
  const key: LongRunKey = { accountId: payload.account_id, id: payload.import_id };
  await runLongJob(context, importRuns, key, job, {
    begin: {
      run_started_at: context.now(),
      run_started_bytes: sql`bytes_read`,
      run_started_rows: sql`rows_read`,
    },
    async work(row, run) {
      const surveyed = row.surveyed ? row : await survey(context, row, run, job.signal);
      await (surveyed.dry_run ? dryRun : applyFile)(context, surveyed, run, job.signal);
      await completeImport(context, run, job.signal);
    },
    settle: () => settle(context, key, job.signal),
    // Ending an import from outside adds another job, which calls `settle`.
    over: async () => undefined,
    finalFailure,
    async fail(run, failure, error) {
      if (failure === undefined || serverFailures.has(failure.code)) {
        context.log.error({ import: key.id, err: describeError(failure?.cause ?? error) }, 'an import failed');
      } else {
        // The message stays out of the log: the name of a column in it can be personal data.
        context.log.info({ import: key.id, code: failure.code }, 'an import failed because of its file');
      }
      const code = error instanceof StorageFault ? 'storage_unavailable' : 'internal';
      await failImport(context, run, failure ?? new ImportFailure(code));
    },
  });
};

/** Failures whose cause is the service, not the file. */
const serverFailures: ReadonlySet<ImportFailureCode> = new Set(['file_lost', 'storage_full', 'storage_unavailable']);

/** Returns the failure when another attempt cannot help; undefined when it can. */
function finalFailure(error: unknown): ImportFailure | undefined {
  if (error instanceof ImportFailure) return error;
  if (isOverQuota(error)) {
    const message = `${error.message} The file of failures was not stored. Valid rows are not affected.`;
    return new ImportFailure('storage_quota', message, { cause: error });
  }
  if (!isDiskFull(error)) return undefined;
  const message = 'The file store has no space left for the file of failures. Valid rows are not affected.';
  return new ImportFailure('storage_full', message, { cause: error });
}
