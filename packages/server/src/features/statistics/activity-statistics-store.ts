import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Month } from '#platform/time/month.ts';

/** Selects counts of activities. */
export interface ActivityFilter {
  readonly accountId: number;
  readonly from: string;
  readonly to: string;
  /** The first month that the account keeps. */
  readonly oldestMonth: Month;
  /** Number of the channel. */
  readonly channel?: number | undefined;
  readonly messageId?: number | undefined;
}

function condition({ accountId, from, to, oldestMonth, channel, messageId }: ActivityFilter): RawBuilder<unknown> {
  return sql`account_id = ${accountId} and month >= ${oldestMonth} and day between ${from}::date and ${to}::date
    ${channel === undefined ? sql`` : sql`and channel = ${channel}`}
    ${messageId === undefined ? sql`` : sql`and message_id = ${messageId}`}`;
}

/** A sum of counts. */
export interface DaySum {
  readonly day: string;
  readonly channel: number;
  readonly activity: number;
  readonly count: number;
}

/** Sums the counts by day, channel and kind, oldest day first. */
export async function sumByDay(db: Database, filter: ActivityFilter): Promise<DaySum[]> {
  const { rows } = await sql<DaySum>`
    select day::text as day, channel, activity, sum(count)::float8 as count from activity_counts
    where ${condition(filter)} group by activity_counts.day, channel, activity having sum(count) > 0
    order by activity_counts.day, channel, activity`.execute(db);
  return rows;
}

/** The counts of a message. */
export interface MessageSum {
  readonly message_id: number;
  readonly name: string | null;
  readonly first_day: string;
  readonly last_day: string;
  /** Numbers of the channels. */
  readonly channels: readonly number[];
  /** By the number of the kind. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Sums the counts of up to `limit` messages, with ids smaller than `before`, largest id first. */
export async function sumByMessage(
  db: Database,
  filter: ActivityFilter,
  before: number | undefined,
  limit: number,
): Promise<MessageSum[]> {
  const { rows } = await sql<MessageSum>`
    select m.message_id, n.name, min(m.first_day)::text as first_day, max(m.last_day)::text as last_day,
      (select array_agg(distinct c order by c) from unnest(string_to_array(string_agg(m.channels, ','), ',')::int[]) c) as channels,
      json_object_agg(m.activity, m.count) as counts
    from (
      select message_id, activity, min(day) as first_day, max(day) as last_day, sum(count)::float8 as count,
        string_agg(distinct channel::text, ',') as channels
      from activity_counts
      where ${condition(filter)} and count > 0 and message_id = any (array(
        select distinct message_id from activity_counts
        where ${condition(filter)} and count > 0 and message_id >= 0 ${before === undefined ? sql`` : sql`and message_id < ${before}`}
        order by message_id desc limit ${limit}
      ))
      group by message_id, activity
    ) m left join message_names n on n.account_id = ${filter.accountId} and n.message_id = m.message_id
    group by m.message_id, n.name order by m.message_id desc`.execute(db);
  return rows;
}
