import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import type { Month } from '#platform/time/month.ts';
import { noMessage, type ActivityCount } from './activity-counts.ts';
import { daysOfMonth } from './days-of-month.ts';
import { ofAllAccounts } from '#platform/database/statements/all-accounts.ts';

/** Changes of the counts of an account. */
export interface CountChanges {
  readonly counts: readonly ActivityCount[];
  /** Names of messages. */
  readonly names?: ReadonlyMap<number, string>;
}

/** Adds changes to the counts of activities, and stores the names of messages. */
export async function addActivityCounts(
  trx: Database,
  accountId: number,
  { counts, names }: CountChanges,
): Promise<void> {
  if (counts.length === 0) return;
  // Rows are sorted, so that two transactions cannot wait for each other.
  await sql`
    ${names === undefined || names.size === 0 ? sql`` : sql`with named as (${nameMessages(accountId, names)})`}
    insert into activity_counts as c (account_id, month, day, channel, activity, message_id, count)
    select ${accountId}::int, u.* from unnest(
      ${arrayLiteral(counts, ({ month }) => month)}::int[], ${arrayLiteral(counts, ({ day }) => day)}::date[],
      ${arrayLiteral(counts, ({ channel }) => channel)}::smallint[], ${arrayLiteral(counts, ({ kind }) => kind)}::smallint[],
      ${arrayLiteral(counts, ({ messageId }) => messageId)}::bigint[], ${arrayLiteral(counts, ({ count }) => count)}::bigint[]
    ) as u (month, day, channel, activity, message_id, count)
    order by 1, 2, 3, 4, 5, 6
    on conflict (account_id, month, day, channel, activity, message_id)
    do update set count = c.count + excluded.count`.execute(trx);
}

function nameMessages(accountId: number, names: ReadonlyMap<number, string>): RawBuilder<unknown> {
  return sql`
    insert into message_names as n (account_id, message_id, name)
    select ${accountId}::int, u.message_id, u.name
    from unnest(${arrayLiteral(names.keys())}::bigint[], ${arrayLiteral(names.values())}::text[]) as u (message_id, name)
    order by u.message_id
    on conflict (account_id, message_id) do update set name = excluded.name where n.name <> excluded.name`;
}

/** How many activities of a partition have the same day, channel, kind and message. */
export interface ActivityGroup {
  /** The number of the day, from 1: see {@link dayNumber}. */
  readonly day: number;
  readonly channel: number;
  readonly activity: number;
  readonly message_id: number;
  readonly count: number;
}

/** SQL of the number of the day (from 1) of an activity, for statements on one partition. */
function dayNumber(month: Month, timeZone: string): RawBuilder<number> {
  const starts = daysOfMonth(month, timeZone).starts.map((start) => new Date(start).toISOString());
  return sql<number>`width_bucket(occurred_at::timestamptz, ${starts}::timestamptz[])`;
}

/**
 * SQL that groups activities of one month by day, channel, kind and message. `rows` is a table
 * expression. Its rows are of type {@link ActivityGroup}.
 */
export function groupActivities(month: Month, timeZone: string, rows: RawBuilder<unknown>): RawBuilder<ActivityGroup> {
  return sql<ActivityGroup>`
    select ${dayNumber(month, timeZone)} as day, channel, activity, coalesce(message_id, ${noMessage}) as message_id,
      count(*) as count
    from ${rows} group by 1, 2, 3, 4`;
}

/** Converts groups of the activities of one month to changes of the counts. */
export function countsOf(
  month: Month,
  timeZone: string,
  groups: readonly ActivityGroup[],
  sign: 1 | -1,
): ActivityCount[] {
  const { days } = daysOfMonth(month, timeZone);
  return groups.map(({ day, channel, activity, message_id: messageId, count }) => ({
    month,
    day: days[day - 1]!,
    channel,
    kind: activity,
    messageId,
    count: sign * count,
  }));
}

/** Loads the time zone of an account. */
export async function timeZoneOf(db: Database, accountId: number): Promise<string> {
  const { time_zone: timeZone } = await db
    .selectFrom('accounts')
    .where('account_id', '=', accountId)
    .select('time_zone')
    .executeTakeFirstOrThrow();
  return timeZone;
}

/** Deletes the counts of the months before a month, whose partitions were dropped. */
export async function deleteCountsBefore(db: Database, month: Month): Promise<void> {
  await db.deleteFrom('activity_counts').where('month', '<', month).modifyEnd(ofAllAccounts).execute();
}
