import type { Selectable } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { maxInteger } from '../http/page.ts';

/** A job that has not ended, and whom to tell when it has. */
export type BatchJobRow = Selectable<Tables['batch_jobs']>;

/** Stores jobs, in the transaction that accepts their requests. */
export async function insertJobs(trx: Database, jobs: readonly BatchJobRow[]): Promise<void> {
  await trx.insertInto('batch_jobs').values(jobs).execute();
}

/** Takes jobs out of those that have not ended: whoever gets one is the only one who does, once the transaction is committed. */
export async function takeJobs(trx: Database, accountId: number, jobIds: readonly string[]): Promise<BatchJobRow[]> {
  return trx
    .deleteFrom('batch_jobs')
    .where('account_id', '=', accountId)
    .where('job_id', 'in', jobIds)
    .returningAll()
    .execute();
}

/** Those of some integers, of any size, that are lists of the account, with their names. */
export async function listNames(
  db: Database,
  accountId: number,
  listIds: readonly number[],
): Promise<Map<number, string>> {
  const possible = listIds.filter((listId) => listId >= 1 && listId <= maxInteger);
  if (possible.length === 0) return new Map();
  const rows = await db
    .selectFrom('audiences')
    .where('account_id', '=', accountId)
    .where('audience_type', '=', 'list')
    .where('audience_id', 'in', possible)
    .select(['audience_id', 'name'])
    .execute();
  return new Map(rows.map(({ audience_id, name }) => [audience_id, name]));
}
