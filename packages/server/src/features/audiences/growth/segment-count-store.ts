import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { dayAt, startOfDay } from '#platform/time/days.ts';
import { findAccounts } from '#platform/database/layout/all-accounts.ts';

/** A segment that must be counted for a day. */
export interface DueSegment {
  readonly accountId: number;
  readonly audienceId: number;
  /** `YYYY-MM-DD`: today in the time zone of the account. */
  readonly day: string;
}

/** The number of contacts of a segment on a day. */
export interface SegmentCountRow {
  readonly day: string;
  readonly contacts: number;
}

/**
 * Lists segments that have no row for today. Segments that were created today are not due.
 *
 * The order is fair: first one segment of each account, then the second of each account, and so on.
 * It stays the same while segments are counted.
 */
export async function listDueSegments(
  context: Pick<Context, 'servers' | 'log'>,
  now: Date,
  limit: number,
): Promise<DueSegment[]> {
  const zones = await zonesWithSegments(context);
  const days = zones.map((zone) => dayAt(now.getTime(), zone));
  const starts = zones.map((zone, index) => new Date(startOfDay(days[index]!, zone)).toISOString());
  const rows = await findAccounts(
    context,
    ['accounts', 'audiences', 'segment_counts'],
    (t) => sql<DueSegment & { readonly place: number }>`
    select account_id as "accountId", audience_id as "audienceId", day::text as day, place
    from (
      select s.account_id, s.audience_id, z.day,
        row_number() over (partition by s.account_id order by s.audience_id) as place
      from unnest(${zones}::text[], ${days}::date[], ${starts}::timestamptz[]) as z (zone, day, starts_at)
      join ${t.accounts} a on a.time_zone = z.zone and a.deleted_at is null
      join ${t.audiences} s on s.account_id = a.account_id
      where s.audience_type = 'segment' and s.created_at < z.starts_at
    ) segments
    where not exists (
      select 1 from ${t.segment_counts} c
      where c.account_id = segments.account_id and c.audience_id = segments.audience_id and c.day = segments.day
    )
    order by place, account_id
    limit ${limit}`,
  );
  return rows
    .sort((a, b) => a.place - b.place || a.accountId - b.accountId)
    .slice(0, limit)
    .map(({ accountId, audienceId, day }) => ({ accountId, audienceId, day }));
}

/** Lists the time zones of accounts that have segments. */
async function zonesWithSegments(context: Pick<Context, 'servers' | 'log'>): Promise<string[]> {
  const rows = await findAccounts(
    context,
    ['accounts', 'audiences'],
    (t) => sql<{ time_zone: string }>`
    select distinct time_zone from ${t.accounts} a where deleted_at is null and exists (
      select 1 from ${t.audiences} s where s.account_id = a.account_id and s.audience_type = 'segment')`,
  );
  return [...new Set(rows.map((row) => row.time_zone))];
}

/**
 * Stores the count of a segment for a day; null if it could not be counted. Stores nothing if there
 * is a row for the day, or the segment has been deleted.
 */
export async function storeSegmentCount(
  db: Database,
  { accountId, audienceId, day }: DueSegment,
  contacts: number | null,
): Promise<void> {
  // The lock makes a deletion of the segment wait. So the deletion also finds this row.
  await sql`
    insert into segment_counts (account_id, audience_id, day, contacts)
    select account_id, audience_id, ${day}::date, ${contacts}::bigint from audiences
    where account_id = ${accountId} and audience_id = ${audienceId} and audience_type = 'segment'
    for key share
    on conflict do nothing`.execute(db);
}

/** Loads the counts of a segment from one day to another, the oldest first. */
export async function loadSegmentCounts(
  db: Database,
  accountId: number,
  audienceId: number,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<SegmentCountRow[]> {
  const { rows } = await sql<SegmentCountRow>`
    select day::text as day, contacts from segment_counts
    where account_id = ${accountId} and audience_id = ${audienceId}
      and day between ${from}::date and ${to}::date and contacts is not null
    order by segment_counts.day`.execute(db);
  return rows;
}

/** Loads the last count of each of some segments, by audience id. Segments without one are absent. */
export async function lastSegmentCounts(
  db: Database,
  accountId: number,
  audienceIds: readonly number[],
): Promise<Map<number, SegmentCountRow>> {
  const { rows } = await sql<SegmentCountRow & { readonly audience_id: number }>`
    select distinct on (audience_id) audience_id, day::text as day, contacts from segment_counts
    where account_id = ${accountId} and audience_id = any(${audienceIds}::int[]) and contacts is not null
    order by audience_id, segment_counts.day desc`.execute(db);
  return new Map(rows.map(({ audience_id: id, day, contacts }) => [id, { day, contacts }]));
}

/** Deletes the counts of a segment. The caller has deleted the segment in the same transaction. */
export async function deleteSegmentCounts(trx: Database, accountId: number, audienceId: number): Promise<void> {
  await trx
    .deleteFrom('segment_counts')
    .where('account_id', '=', accountId)
    .where('audience_id', '=', audienceId)
    .execute();
}
