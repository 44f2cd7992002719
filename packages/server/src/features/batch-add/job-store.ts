import { sql, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** A job that has not ended, with its callback URL and e-mail address. */
export type BatchJobRow = Selectable<Tables['batch_jobs']>;

/** Stores jobs, in the transaction that accepts their requests. */
export async function insertJobs(trx: Database, jobs: readonly BatchJobRow[]): Promise<void> {
  await trx.insertInto('batch_jobs').values(jobs).execute();
}

/** A job that has ended, with the names for its callback and mail. */
export interface EndedJob extends BatchJobRow {
  /** Null when the list was deleted. */
  readonly list_name: string | null;
  readonly account_name: string;
  readonly primary_key: string;
}

/** Deletes jobs and returns them, so that only one transaction gets each job. */
export async function takeJobs(trx: Database, accountId: number, jobIds: readonly string[]): Promise<EndedJob[]> {
  const { rows } = await sql<EndedJob>`
    with taken as (
      delete from batch_jobs where account_id = ${accountId} and job_id = any (${jobIds}::uuid[]) returning *
    )
    select taken.*, list.name as list_name, account.name as account_name, account.primary_key
    from taken
    join accounts account using (account_id)
    left join audiences list
      on list.account_id = ${accountId} and list.audience_type = 'list' and list.audience_id = taken.list_id`.execute(
    trx,
  );
  return rows;
}
