import type { EndedRequests } from '#pipeline/operations/request-result.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { addJobs } from '#platform/jobs/jobs.ts';

/** Has what requests say of forgotten people erased: an item that was refused for naming one is not kept either. */
export async function eraseRefused(trx: Database, { accountId, results }: EndedRequests): Promise<void> {
  const refused = results.filter(({ failures }) =>
    failures.some((item) => item.failures.some(({ code }) => code === 'contact_forgotten')),
  );
  const jobs = refused.map(({ request }) => ({ payload: { account_id: accountId, request_id: request.requestId } }));
  if (jobs.length > 0) await addJobs(trx, 'erase_refused', jobs);
}
