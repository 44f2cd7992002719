import type { JobHandler, JobPayloads } from '#platform/jobs/job-table.ts';
import { addJobs } from '#platform/jobs/jobs.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { EndedRequests } from '#pipeline/operations/request-result.ts';
import { scrubRefusedItems } from './scrub.ts';

declare module '#platform/jobs/job-table.ts' {
  interface JobPayloads {
    /** Erases the items of a request that name forgotten people. */
    erase_refused: { readonly account_id: number; readonly request_id: string };
  }
}

/**
 * Adds a job for each request with items that were refused because they name a forgotten person.
 */
export async function addRefusedItemsJobs(trx: Database, { accountId, results }: EndedRequests): Promise<void> {
  const refused = results.filter(({ failures }) =>
    failures.some((item) => item.failures.some(({ code }) => code === 'contact_forgotten')),
  );
  const jobs = refused.map(({ request }) => ({ payload: { account_id: accountId, request_id: request.requestId } }));
  if (jobs.length > 0) await addJobs(trx, 'erase_refused', jobs);
}

/** Erases the items of a request that were refused because they name a forgotten person. */
export const eraseRefusedItems: JobHandler<JobPayloads['erase_refused']> = (context, payload) =>
  scrubRefusedItems(context, payload.account_id, payload.request_id);
