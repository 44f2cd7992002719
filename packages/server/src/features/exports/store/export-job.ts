import { addJob, type JobOptions } from '#platform/jobs/jobs.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { ExportRow } from './export-store.ts';

/**
 * Adds the job of an export. An export to a place in S3 waits for a server that its account chose,
 * perhaps for hours. So these exports have jobs of their own, which do not delay others, and those
 * of an account run one after the other.
 */
export async function addExportJob(
  trx: Database,
  { account_id, request_id, place }: Pick<ExportRow, 'account_id' | 'request_id' | 'place'>,
  options: JobOptions,
): Promise<void> {
  const payload = { account_id, request_id };
  if (place === null) return addJob(trx, 'export', payload, options);
  return addJob(trx, 'export_to_s3', payload, { ...options, queue: String(account_id) });
}
