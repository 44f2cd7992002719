import { bulkChangeFailures, deliveryErrors, mailErrors } from '@roster/contract';
import { sql } from 'kysely';
import type { BulkChangesTable } from '#platform/database/schema/tables/bulk-changes.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { failuresCountedTo, type FailedWork } from './pipeline-state-store.ts';

/**
 * Returns the requests that failed, or with failed items. The cause is the most frequent message of
 * the failures that are read first.
 */
export async function failedRequests(
  db: Database,
  accountId: number,
  since: Date,
  listed: number,
): Promise<FailedWork> {
  // The condition must be that of the partial index of migration 0018.
  const { rows } = await sql<FailedWork['latest'][number]>`
    with found as (
      select request_id, finished_at, (counts ->> 'failed')::int as failed
      from request_results
      where account_id = ${accountId} and (status = 'failed' or (counts ->> 'failed')::integer > 0)
        and finished_at >= ${since}
      order by request_id desc limit ${failuresCountedTo}
    )
    select f.request_id as id, r.operation as title, f.finished_at as failed_at, f.failed,
      (select message from request_failures e
        where e.account_id = ${accountId} and e.request_id = f.request_id and not e.warning
        order by item_index, ordinal limit 1) as cause
    from found f join requests r on r.account_id = ${accountId} and r.request_id = f.request_id
    order by f.request_id desc limit ${listed}`.execute(db);
  const { rows: counted } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from request_results
      where account_id = ${accountId} and (status = 'failed' or (counts ->> 'failed')::integer > 0)
        and finished_at >= ${since}
      limit ${failuresCountedTo}
    ) f`.execute(db);
  return { count: counted[0]!.count, latest: rows };
}

/** Returns the bulk changes that failed, or in which contacts failed. */
export async function failedBulkChanges(
  db: Database,
  accountId: number,
  since: Date,
  listed: number,
): Promise<FailedWork> {
  type Row = FailedWork['latest'][number] & { readonly code: BulkChangesTable['failure_code'] };
  const { rows } = await sql<Row>`
    select bulk_change_id as id, action ->> 'type' as title, finished_at as failed_at, null as cause, failed,
      failure_code as code
    from bulk_changes
    where account_id = ${accountId} and finished_at >= ${since} and (status = 'failed' or failed > 0)
    order by finished_at desc limit ${failuresCountedTo}`.execute(db);
  const latest = rows
    .slice(0, listed)
    .map(({ code, ...work }) => ({ ...work, cause: code === null ? null : bulkChangeFailures[code] }));
  return { count: rows.length, latest };
}

/** Returns the callbacks whose attempts all failed. The query of a URL can be secret. */
export async function failedDeliveries(
  db: Database,
  accountId: number,
  since: Date,
  listed: number,
): Promise<FailedWork> {
  const { rows } = await sql<FailedWork['latest'][number]>`
    select d.delivery_id as id, split_part(d.url, '?', 1) as title, d.finished_at as failed_at, null as failed,
      (select coalesce(t.error_code, 'status ' || t.status_code) from delivery_attempts t
        where t.account_id = d.account_id and t.delivery_id = d.delivery_id order by t.attempt desc limit 1) as cause
    from deliveries d
    where d.account_id = ${accountId} and d.status = 'failed' and d.finished_at >= ${since}
    order by d.delivery_id desc limit ${failuresCountedTo}`.execute(db);
  const messages: Readonly<Record<string, string>> = deliveryErrors;
  const latest = rows.slice(0, listed).map((row) => ({ ...row, cause: messages[row.cause ?? ''] ?? row.cause }));
  return { count: rows.length, latest };
}

/** Returns the mails that could not be sent. A mail has no time of its failure, so it counts from
 * its creation. */
export async function failedMails(db: Database, accountId: number, since: Date, listed: number): Promise<FailedWork> {
  const { rows } = await sql<FailedWork['latest'][number]>`
    select mail_id as id, template as title, created_at as failed_at, null as failed,
      last_error as cause
    from mails where account_id = ${accountId} and status = 'failed' and created_at >= ${since}
    order by mail_id desc limit ${failuresCountedTo}`.execute(db);
  const errors: Readonly<Record<string, { readonly message: string }>> = mailErrors;
  const latest = rows.slice(0, listed).map((row) => ({ ...row, cause: errors[row.cause ?? '']?.message ?? row.cause }));
  return { count: rows.length, latest };
}
