import type { Database } from '#platform/database/connection/database.ts';
import { createDeliveries } from '#features/callbacks/deliveries.ts';
import { createMails } from '#features/mails/mails.ts';
import type { PipelineContext } from '#pipeline/operations/operation.ts';
import type { EndedRequests } from '#pipeline/operations/request-result.ts';
import { takeJobs } from './job-store.ts';
import { errorsOf, reportOf } from './report.ts';

/**
 * Creates the callback and the mail of each batch among requests that end. This happens in the
 * transaction that ends the requests, so each is created exactly once. Ignores other requests, and
 * batches whose job has already ended.
 */
export async function endJobs(
  trx: Database,
  { accountId, results }: EndedRequests,
  tools: PipelineContext,
): Promise<void> {
  const ended = new Map(
    results.flatMap((result) =>
      result.request.operation === 'contact.batch-add' ? [[result.request.requestId, result] as const] : [],
    ),
  );
  if (ended.size === 0) return;
  const jobs = await takeJobs(trx, accountId, [...ended.keys()]);
  if (jobs.length === 0) return;
  const reported = jobs.map((job) => {
    const result = ended.get(job.job_id)!;
    return { job, report: reportOf(job, result, errorsOf(result, job.primary_key)) };
  });
  await createDeliveries(
    trx,
    tools,
    reported.map(({ job, report }) => ({
      accountId,
      source: { kind: 'batch', id: job.job_id },
      method: 'POST',
      url: job.callback_url,
      headers: [],
      body: report,
    })),
  );
  await createMails(
    trx,
    tools,
    reported.map(({ job, report }) => ({
      accountId,
      to: job.notify_email,
      template: 'batch_add_finished',
      data: { report, listName: job.list_name ?? undefined, accountName: job.account_name },
    })),
  );
}
