import { sql } from 'kysely';
import { describeError } from '#platform/database/connection/describe-error.ts';
import type { JobHandler, JobPayloads } from '#platform/jobs/job-table.ts';
import type { LongRunKey } from '#platform/long-runs/long-runs.ts';
import { runLongJob } from '#platform/long-runs/run-job.ts';
import { bulkChangeRuns } from '../store/bulk-change-store.ts';
import { applyChunks } from './apply-chunks.ts';
import { BulkChangeFailure } from './bulk-change-failure.ts';
import { chooseContacts } from './choose-contacts.ts';
import { completeBulkChange, failBulkChange, settle } from './end-bulk-change.ts';

declare module '#platform/jobs/job-table.ts' {
  interface JobPayloads {
    /** One run of a bulk change, or the remaining work for one that has ended. */
    bulk_change: { readonly account_id: number; readonly bulk_change_id: string };
  }
}

/**
 * Runs a bulk change from where the previous run stopped. If it has ended, does the remaining work
 * instead (see {@link settle}).
 */
export const runBulkChange: JobHandler<JobPayloads['bulk_change']> = async (context, payload, job) => {
  const key: LongRunKey = { accountId: payload.account_id, id: payload.bulk_change_id };
  await runLongJob(context, bulkChangeRuns, key, job, {
    begin: { run_started_at: context.now(), run_started_done: sql`changed + unchanged + failed` },
    async work(row, run) {
      if (row.total === null) await chooseContacts(context, row, run);
      await applyChunks(context, row, run, job.signal);
      await completeBulkChange(context, run);
    },
    settle: () => settle(context, key, job.signal),
    // Ending a bulk change from outside adds another job, which calls `settle`.
    over: async () => undefined,
    finalFailure: (error) => (error instanceof BulkChangeFailure ? error : undefined),
    async fail(run, failure, error) {
      if (failure === undefined) {
        context.log.error({ bulk_change: key.id, err: describeError(error) }, 'a bulk change failed');
      } else {
        context.log.info({ bulk_change: key.id, code: failure.code }, 'a bulk change was refused at its start');
      }
      await failBulkChange(context, run, failure?.code ?? 'internal');
    },
  });
};
