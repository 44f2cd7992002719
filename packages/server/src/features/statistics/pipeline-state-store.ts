import { sql } from 'kysely';
import { backlogCountedTo, type Backlog } from '#pipeline/log/backlog-store.ts';
import type { Database } from '#platform/database/connection/database.ts';

/** Failures are counted up to this number. */
export const failuresCountedTo = 1000;

/** Maximum number of imports and exports that are listed as running. */
const listedRuns = 50;

/** Reads the requests of an account that wait. */
export async function accountBacklog(db: Database, accountId: number): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select count(distinct request_id) as requests, coalesce(sum(total), 0)::bigint as items, min(accepted_at) as oldest
    from (
      select request_id, total, accepted_at from request_queue where account_id = ${accountId}
      order by lane, seq limit ${backlogCountedTo}
    ) q`.execute(db);
  return rows[0]!;
}

/** An import or export that waits or runs. */
export interface RunningWork {
  readonly kind: 'import' | 'export';
  readonly id: string;
  readonly title: string;
  readonly percent: number | null;
  readonly began_at: Date;
}

/** Lists the imports and exports of an account that wait or run, newest first. */
export async function listRunning(
  db: Database,
  accountId: number,
  shown: { readonly imports: boolean; readonly exports: boolean },
): Promise<RunningWork[]> {
  const imports = sql`
      select 'import' as kind, import_id as id, coalesce(file_name, '') as title,
        case when bytes_total > 0 then least(99, floor(bytes_read * 100.0 / bytes_total))::int end as percent,
        coalesce(started_at, created_at) as began_at
      from imports where account_id = ${accountId} and status in ('accepted', 'running')`;
  const exports = sql`
      select 'export' as kind, e.request_id as id, coalesce(a.name, '') as title,
        case when e.rows_total > 0 then least(99, floor(e.rows_written * 100.0 / e.rows_total))::int end as percent,
        coalesce(e.started_at, e.accepted_at) as began_at
      from exports e left join audiences a on a.account_id = ${accountId} and a.audience_id = e.audience_id
      where e.account_id = ${accountId} and e.status in ('accepted', 'running')`;
  const kinds = [...(shown.imports ? [imports] : []), ...(shown.exports ? [exports] : [])];
  if (kinds.length === 0) return [];
  const { rows } = await sql<RunningWork>`
    select * from (${sql.join(kinds, sql` union all `)}) w order by began_at desc limit ${listedRuns}`.execute(db);
  return rows;
}

/** Work that failed. */
export interface FailedWork {
  readonly count: number;
  readonly latest: readonly {
    readonly id: string;
    readonly title: string;
    readonly failed_at: Date;
    readonly cause: string | null;
    readonly failed: number | null;
  }[];
}

/** Returns the imports that failed, or in which rows failed. A dry run only tells what would fail. */
export async function failedImports(db: Database, accountId: number, since: Date, listed: number): Promise<FailedWork> {
  const { rows } = await sql<FailedWork['latest'][number]>`
    select import_id as id, coalesce(file_name, '') as title, finished_at as failed_at, failure_message as cause,
      failed as failed
    from imports
    where account_id = ${accountId} and finished_at >= ${since} and (status = 'failed' or failed > 0) and not dry_run
    order by finished_at desc limit ${failuresCountedTo}`.execute(db);
  return { count: rows.length, latest: rows.slice(0, listed) };
}

/** Returns the exports that failed. */
export async function failedExports(db: Database, accountId: number, since: Date, listed: number): Promise<FailedWork> {
  const { rows } = await sql<FailedWork['latest'][number]>`
    select e.request_id as id, coalesce(a.name, '') as title, e.finished_at as failed_at, e.error as cause, null as failed
    from exports e left join audiences a on a.account_id = e.account_id and a.audience_id = e.audience_id
    where e.account_id = ${accountId} and e.status = 'failed' and e.finished_at >= ${since}
    order by e.finished_at desc limit ${failuresCountedTo}`.execute(db);
  return { count: rows.length, latest: rows.slice(0, listed) };
}
