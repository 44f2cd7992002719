import { activityKinds, channels } from '@roster/contract';
import { sql, type RawBuilder } from 'kysely';
import type { RequestCounts } from '#platform/database/schema/tables.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { opaqueAccount } from '#platform/database/statements/opaque-account.ts';
import { firstIdAt } from '#platform/ids.ts';

/** A stored activity in a timeline. */
export interface TimelineActivityRow {
  readonly channel: number;
  readonly activity: number;
  readonly occurred_at: Date;
  readonly message_id: number | null;
  readonly msg_name: string | null;
  readonly hard_bounce: boolean | null;
  readonly ip: string | null;
  readonly device: string | null;
  readonly os: string | null;
  readonly browser: string | null;
  readonly link: string | null;
}

// Activities of the same time need an order, too. Otherwise two pages could show the same one. The
// index gives the order of the time, so PostgreSQL sorts only those of the same time.
const newestFirst = sql`occurred_at desc, activity desc, channel, message_id desc nulls last, msg_name, link, ip, device, os, browser`;

/**
 * Loads activities of a contact key up to a time, newest first.
 *
 * Reads the newest of each channel from the index of activities, month by month. So a contact with
 * a hundred thousand activities is as fast as one with ten. Activities that are being moved to a
 * new key count under the new key.
 */
export async function loadActivities(
  db: Database,
  accountId: number,
  contactKey: string,
  until: Date,
  limit: number,
): Promise<TimelineActivityRow[]> {
  const { rows } = await sql<TimelineActivityRow>`
    with stored as (
      select ${contactKey}::text as contact_key
      where not exists (select 1 from activity_moves where account_id = ${accountId} and contact_key = ${contactKey})
      union all
      select contact_key from activity_moves where account_id = ${accountId} and target_key = ${contactKey}
    )
    select newest.* from stored, generate_series(1, ${sql.lit(channels.length)}) as one (channel) cross join lateral (
      select a.channel, a.activity, a.occurred_at, a.message_id, a.msg_name, a.hard_bounce, a.ip, a.device, a.os, a.browser, a.link
      from activities a
      where a.account_id = ${opaqueAccount(accountId)} and a.contact_key = stored.contact_key and a.channel = one.channel::smallint
        and a.occurred_at <= ${until}
      order by ${newestFirst}
      limit ${limit}
    ) newest
    where newest.activity between 1 and ${sql.lit(activityKinds.length)}
    order by ${newestFirst}
    limit ${limit}`.execute(db);
  return rows;
}

/** A request in a timeline. The fields of a request that is no longer kept are null. */
export interface TimelineRequestRow {
  readonly request_id: string;
  readonly operation: string | null;
  readonly status: 'done' | 'failed' | null;
  readonly counts: RequestCounts | null;
}

// Requests with many contacts that one page looks at. Each takes up to 50 µs, if it has a thousand
// contacts with random numbers. Most are excluded by the range of their numbers.
const requestsPerPage = 2000;

/**
 * Loads the ids of requests up to a time that touched a contact, newest first.
 *
 * Requests that touched only this contact are found by an index. Requests that touched several are
 * read from the newest, at most {@link requestsPerPage} of them.
 */
export async function loadRequestIds(
  db: Database,
  accountId: number,
  contactId: number,
  until: number,
  limit: number,
): Promise<{ readonly ids: readonly string[]; readonly searchedTo: string | undefined }> {
  const end = firstIdAt(new Date(until + 1));
  const single = sql<{ request_id: string }>`
    select request_id from request_results
    where account_id = ${opaqueAccount(accountId)} and first_contact_id = last_contact_id and first_contact_id = ${contactId}
      and request_id < ${end}
    order by request_id desc limit ${limit}`;
  const several = sql<{ request_id: string; touched: boolean; searched: number }>`
    with searched as materialized (
      select request_id, first_contact_id, last_contact_id from request_results
      where account_id = ${opaqueAccount(accountId)} and first_contact_id < last_contact_id and request_id < ${end}
      order by request_id desc limit ${requestsPerPage}
    )
    (
      select r.request_id, true as touched, 0 as searched
      from searched s cross join lateral (
        select request_id, contact_ids from request_results r
        where r.account_id = ${opaqueAccount(accountId)} and r.request_id = s.request_id offset 0
      ) r
      where ${contactId} between s.first_contact_id and s.last_contact_id
        and (r.contact_ids is null or ${isInRuns(contactId, sql`r.contact_ids`)})
      order by r.request_id desc limit ${limit}
    )
    union all
    (
      select request_id, false, (select count(*)::int from searched) from searched order by request_id limit 1
    )`;
  const [{ rows: singles }, { rows: severals }] = await Promise.all([single.execute(db), several.execute(db)]);
  const found = [...singles, ...severals.filter(({ touched }) => touched)];
  const last = severals.find(({ touched }) => !touched);
  const ids = found.map(({ request_id }) => request_id).sort((a, b) => (a < b ? 1 : -1));
  return {
    ids: ids.slice(0, limit),
    searchedTo: last !== undefined && last.searched === requestsPerPage ? last.request_id : undefined,
  };
}

/**
 * SQL that is true if a number is in runs (`runsOf`). The first entry that is not less is the number
 * itself, or the last number of its run, with a minus.
 */
function isInRuns(contactId: number, runs: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`coalesce((
    select number = ${contactId} or number < 0 from (select unnest(${runs}) as number) as entries
    where abs(number) >= ${contactId} limit 1
  ), false)`;
}

/** Loads the facts of requests by their ids. */
export async function loadRequests(
  db: Database,
  accountId: number,
  ids: readonly string[],
): Promise<Map<string, TimelineRequestRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<TimelineRequestRow>`
    select r.request_id, r.operation, s.status, s.counts
    from requests r left join request_results s on s.account_id = r.account_id and s.request_id = r.request_id
    where r.account_id = ${opaqueAccount(accountId)} and r.request_id = any (${[...ids]}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.request_id, row]));
}
