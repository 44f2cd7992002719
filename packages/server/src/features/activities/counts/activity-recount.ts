import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Partition } from '../store/partition-store.ts';
import { countsOf, groupActivities, type ActivityGroup } from './activity-count-store.ts';
import { noMessage, type ActivityCount } from './activity-counts.ts';
import { daysOfMonth } from './days-of-month.ts';

/**
 * Compares the counts of the activities in one partition with its rows, and returns what to add to
 * the counts. It reads everything in one statement, which sees either all writes of a transaction
 * or none. So the result is exact, also while batches are applied.
 *
 * Counts of days that the month does not have, from a former time zone, become 0.
 */
export async function compareActivityCounts(
  db: Database,
  accountId: number,
  { name, month }: Partition,
  timeZone: string,
): Promise<ActivityCount[]> {
  const { days } = daysOfMonth(month, timeZone);
  const { rows } = await sql<ActivityGroup & { readonly stored_day: string }>`
    with own as (
      ${groupActivities(month, timeZone, sql`${sql.id(name)} where account_id = ${accountId}`)}
    ), named as (
      select (${[...days]}::date[])[day] as day, channel, activity, message_id, count from own
    ), stored as (
      select * from activity_counts where account_id = ${accountId} and month = ${month}
    )
    select 0 as day, coalesce(named.day, stored.day)::text as stored_day, coalesce(named.channel, stored.channel) as channel,
      coalesce(named.activity, stored.activity) as activity, coalesce(named.message_id, stored.message_id) as message_id,
      coalesce(named.count, 0) - coalesce(stored.count, 0) as count
    from named full join stored on stored.day = named.day and stored.channel = named.channel
      and stored.activity = named.activity and stored.message_id = named.message_id
    where coalesce(named.count, 0) <> coalesce(stored.count, 0)`.execute(db);
  return rows.map((row) => ({ ...countsOf(month, timeZone, [row], 1)[0]!, day: row.stored_day }));
}

/** Returns the names of the messages in one partition that have none stored yet. */
export async function findMessageNames(
  db: Database,
  accountId: number,
  { name }: Partition,
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ message_id: number; msg_name: string }>`
    select a.message_id, max(a.msg_name) as msg_name from ${sql.id(name)} a
    where a.account_id = ${accountId} and a.message_id <> ${noMessage} and a.msg_name is not null
      and not exists (select 1 from message_names n where n.account_id = ${accountId} and n.message_id = a.message_id)
    group by a.message_id`.execute(db);
  return new Map(rows.map((row) => [row.message_id, row.msg_name]));
}
