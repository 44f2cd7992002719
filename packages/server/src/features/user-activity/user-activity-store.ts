import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';

/** Which activities are asked for. */
export interface UserActivityQuery {
  readonly accountId: number;
  /** The contact key. */
  readonly key: string;
  /** Number of the channel. */
  readonly channel: number;
  /** Moments, in milliseconds: from the first on, before the second. */
  readonly from: number;
  readonly before: number;
}

/** One activity of a person. */
export interface UserActivityRow {
  readonly activity: number;
  readonly occurred_at: Date;
  readonly message_id: number | null;
  readonly msg_name: string | null;
  readonly ip: string | null;
  readonly device: string | null;
  readonly os: string | null;
  readonly browser: string | null;
  readonly link: string | null;
}

/** The activities of a contact on a channel in a period, newest first; at most `limit`. Somebody who is not a contact has none. */
export async function findUserActivities(
  db: Database,
  query: UserActivityQuery,
  limit: number,
): Promise<UserActivityRow[]> {
  return (await userActivities(query, limit).execute(db)).rows;
}

/**
 * The statement of {@link findUserActivities}.
 *
 * Activities that have not been moved behind their contact yet are those of their new key: see the table `activity_moves`. The moments are
 * known when it is planned, so that only the partitions of their months are looked at.
 */
export function userActivities(
  { accountId, key, channel, from, before }: UserActivityQuery,
  limit: number,
): RawBuilder<UserActivityRow> {
  return sql<UserActivityRow>`
    select activity, occurred_at, message_id, msg_name, ip, device, os, browser, link
    from activities
    where account_id = ${accountId} and channel = ${channel}::smallint
      and occurred_at >= ${new Date(from)}::timestamptz and occurred_at < ${new Date(before)}::timestamptz
      and exists (select from contacts where contacts.account_id = ${accountId} and contacts.contact_key = ${key})
      and contact_key = any (array(
        select ${key}::text where not exists (select from activity_moves where account_id = ${accountId} and contact_key = ${key})
        union all
        select contact_key from activity_moves where account_id = ${accountId} and target_key = ${key}
      ))
    order by occurred_at desc, activity desc, message_id desc
    limit ${limit}`;
}
