import type { ContactType } from '@roster/contract';
import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { ActivityFilter } from './activity-statistics-store.ts';

/** One activity of a message, with its contact. */
export interface MessageActivityRow {
  readonly occurred_at: Date;
  readonly contact_id: number;
  readonly contact_key: string;
  readonly contact_type: ContactType;
  readonly channel: number;
  readonly count: number;
  readonly link: string | null;
  readonly hard_bounce: boolean | null;
}

/** The position of a {@link MessageActivityRow}, in descending order. */
export interface MessageActivityPosition {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly contactId: number;
  readonly channel: number;
}

/** Selects one kind of activities of one message. */
export interface MessageActivityFilter extends ActivityFilter {
  readonly messageId: number;
  /** Number of the kind. */
  readonly activity: number;
}

/** Returns the days with such activities and how many there are, newest first. */
export async function daysWithActivity(
  db: Database,
  { accountId, from, to, oldestMonth, channel, messageId, activity }: MessageActivityFilter,
): Promise<{ readonly day: string; readonly count: number }[]> {
  const { rows } = await sql<{ day: string; count: number }>`
    select day::text as day, sum(count)::float8 as count from activity_counts
    where account_id = ${accountId} and message_id = ${messageId} and activity = ${activity} and count > 0
      and month >= ${oldestMonth} and day between ${from}::date and ${to}::date
      ${channel === undefined ? sql`` : sql`and channel = ${channel}`}
    group by activity_counts.day order by activity_counts.day desc`.execute(db);
  return rows;
}

/**
 * Returns up to `limit` activities of contacts in a range of time (milliseconds since 1970, `from`
 * inclusive, `before` exclusive), after a position, newest first.
 *
 * Activities that are not moved to the new key of their contact yet count for the new key.
 */
export async function listMessageActivities(
  db: Database,
  { accountId, channel, messageId, activity }: MessageActivityFilter,
  { from, before }: { readonly from: number; readonly before: number },
  after: MessageActivityPosition | undefined,
  limit: number,
): Promise<MessageActivityRow[]> {
  const { rows } = await sql<MessageActivityRow>`
    select a.occurred_at, c.contact_id, c.contact_key, c.contact_type, a.channel, count(*) as count,
      max(a.link) as link, bool_or(a.hard_bounce) as hard_bounce
    from activities a
      left join activity_moves m on m.account_id = a.account_id and m.contact_key = a.contact_key
      join contacts c on c.account_id = a.account_id
        and c.contact_key = case when m.contact_key is null then a.contact_key else m.target_key end
    where a.account_id = ${accountId} and a.message_id = ${messageId} and a.activity = ${activity}
      and a.occurred_at >= ${new Date(from)}::timestamptz and a.occurred_at < ${new Date(before)}::timestamptz
      ${channel === undefined ? sql`` : sql`and a.channel = ${channel}`}
      ${
        after === undefined
          ? sql``
          : sql`and a.occurred_at <= ${new Date(after.at)}::timestamptz
            and (a.occurred_at, c.contact_id, a.channel) < (${new Date(after.at)}::timestamptz, ${after.contactId}, ${after.channel})`
      }
    group by a.occurred_at, c.contact_id, c.contact_key, c.contact_type, a.channel
    order by a.occurred_at desc, c.contact_id desc, a.channel desc
    limit ${limit}`.execute(db);
  return rows;
}
