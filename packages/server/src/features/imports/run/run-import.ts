import type { ImportFailureCode } from '@roster/contract';
import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import { isDiskFull } from '#platform/files/disk-full.ts';
import { StorageFault } from '#platform/files/storage-fault.ts';
import type { JobHandler, JobPayloads } from '#platform/jobs/job-table.ts';
import type { LongRun, LongRunKey } from '#platform/long-runs/long-runs.ts';
import { runLongJob } from '#platform/long-runs/run-job.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { applyFile } from './apply-file.ts';
import { completeImport, failImport, settle } from './end-import.ts';
import { ImportFailure } from '../store/import-failure.ts';
import { importRuns, type ImportRow } from '../store/import-store.ts';
import { rehearse } from './rehearse.ts';
import { survey } from './survey.ts';

declare module '#platform/jobs/job-table.ts' {
  interface JobPayloads {
    /** One run of an import from where the run before it stopped, or what an import that has ended leaves to do. */
    import: { readonly account_id: number; readonly import_id: string };
  }
}

/** Runs an import from where the run before has stopped; one that has ended is cleared away instead. */
export const runImport: JobHandler<JobPayloads['import']> = async (context, payload, job) => {
  const key: LongRunKey = { accountId: payload.account_id, id: payload.import_id };
  await runLongJob(context, importRuns, key, job, {
    begin: {
      run_started_at: context.now(),
      run_started_bytes: sql`bytes_read`,
      run_started_rows: sql`rows_read`,
    },
    work: (row, run) => goOn(context, row, run, job.signal),
    settle: () => settle(context, key, job.signal),
    // What has ended it adds a job that does the rest.
    over: async () => undefined,
    finalFailure,
    async fail(run, failure, error) {
      // What is wrong with a file is for the operator who sent it. A name of a column in the message can be that of a person, and stays out of the log.
      if (failure === undefined || ours.has(failure.code)) {
        context.log.error({ import: key.id, err: describeError(failure?.cause ?? error) }, 'an import failed');
      } else context.log.info({ import: key.id, code: failure.code }, 'the file of an import cannot be read');
      const code = error instanceof StorageFault ? 'storage_unavailable' : 'internal';
      await failImport(context, run, failure ?? new ImportFailure(code));
    },
  });
};

async function goOn(context: Context, row: ImportRow, run: LongRun, signal: AbortSignal): Promise<void> {
  const surveyed = row.surveyed ? row : await survey(context, row, run, signal);
  await (surveyed.dry_run ? rehearse : applyFile)(context, surveyed, run, signal);
  await completeImport(context, run, signal);
}

/** Failures that are not about the file. */
const ours: ReadonlySet<ImportFailureCode> = new Set(['file_lost', 'storage_full', 'storage_unavailable']);

/** The failure that an error means for good; undefined when trying again can help. */
function finalFailure(error: unknown): ImportFailure | undefined {
  if (error instanceof ImportFailure) return error;
  return isDiskFull(error) ? new ImportFailure('storage_full', undefined, { cause: error }) : undefined;
}
