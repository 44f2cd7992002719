import { sql, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** A job that has not ended, and whom to tell when it has. */
export type BatchJobRow = Selectable<Tables['batch_jobs']>;

/** Stores jobs, in the transaction that accepts their requests. */
export async function insertJobs(trx: Database, jobs: readonly BatchJobRow[]): Promise<void> {
  await trx.insertInto('batch_jobs').values(jobs).execute();
}

/** A job that has ended, with what telling of it needs: the name of its list, null when that is gone, and of its account. */
export interface EndedJob extends BatchJobRow {
  readonly list_name: string | null;
  readonly account_name: string;
  readonly primary_key: string;
}

/** Takes jobs out of those that have not ended: whoever gets one is the only one who does, once the transaction is committed. */
export async function takeJobs(trx: Database, accountId: number, jobIds: readonly string[]): Promise<EndedJob[]> {
  const { rows } = await sql<EndedJob>`
    with taken as (
      delete from batch_jobs where account_id = ${accountId} and job_id = any (${jobIds}::uuid[]) returning *
    )
    select taken.*, list.name as list_name, account.name as account_name, account.primary_key
    from taken
    join accounts account using (account_id)
    left join audiences list
      on list.account_id = taken.account_id and list.audience_type = 'list' and list.audience_id = taken.list_id`.execute(
    trx,
  );
  return rows;
}
