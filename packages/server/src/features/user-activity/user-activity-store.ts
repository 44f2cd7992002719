import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';

/** Selects activities of one person. */
export interface UserActivityQuery {
  readonly accountId: number;
  /** The contact key. */
  readonly key: string;
  /** Number of the channel. */
  readonly channel: number;
  /** Milliseconds since 1970, inclusive. */
  readonly from: number;
  /** Milliseconds since 1970, exclusive. */
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

/** Returns the activities of a contact, newest first. Without a contact, returns none. */
export async function findUserActivities(
  db: Database,
  query: UserActivityQuery,
  limit: number,
): Promise<UserActivityRow[]> {
  return (await userActivities(query, limit).execute(db)).rows;
}

/**
 * Returns the statement of {@link findUserActivities}.
 *
 * After a contact has changed its key, its activities are moved to the new key in the background.
 * Activities that are not moved yet count under the new key (table `activity_moves`).
 *
 * The bounds of the time make PostgreSQL read only the partitions of these months.
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
      and exists (select 1 from contacts where contacts.account_id = ${accountId} and contacts.contact_key = ${key})
      and contact_key = any (array(
        select ${key}::text where not exists (select 1 from activity_moves where account_id = ${accountId} and contact_key = ${key})
        union all
        select contact_key from activity_moves where account_id = ${accountId} and target_key = ${key}
      ))
    order by occurred_at desc, activity desc, message_id desc
    limit ${limit}`;
}
