import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { summaryColumns } from '#features/registry/derived/summary-columns.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { channelNumber, kindNumber } from '#platform/database/values/activity-numbers.ts';
import { startOfMonth, type Month } from '#platform/time/month.ts';
import { oldestMinute, personKinds } from './summary-changes.ts';

/** Contact keys: some keys, or all keys after `after`, up to and including `last` (null: all). */
export type KeyRange = { readonly keys: readonly string[] } | { readonly after: string; readonly last: string | null };

/** Which activities count. */
export interface RecomputeOptions {
  readonly accountId: number;
  /** The first month whose activities count. */
  readonly keptFrom: Month;
  readonly now: Date;
}

/**
 * Computes the summaries of some contact keys from their stored activities, and replaces the stored
 * summaries. The caller holds the lane of the account. Returns the number of activities.
 *
 * Activities that are not moved to their new key yet count under the new key (`activity_moves`).
 */
export async function recomputeSummaries(
  trx: Database,
  range: KeyRange,
  { accountId, keptFrom, now }: RecomputeOptions,
): Promise<number> {
  await sql`delete from activity_summaries where account_id = ${accountId} and ${isIn(range, sql`contact_key`)}`.execute(
    trx,
  );
  const from = sql`occurred_at >= ${startOfMonth(keptFrom)}::timestamptz`;
  const seen = sql`(where activity = any (${personKinds}::smallint[]))`;
  const values = summaryColumns.map(({ channel, kind }) => {
    const own = sql`channel = ${sql.lit(channelNumber(channel))} and activity = ${sql.lit(kindNumber(kind))}`;
    return {
      at: sql`max(occurred_at) filter (where ${own})`,
      minutes: sql`array_agg(minute order by minute) filter (where ${own} and minute >= ${oldestMinute(now)})`,
    };
  });
  const { rows } = await sql<{ activities: number }>`
    with own as (
      select a.contact_key, channel, activity, occurred_at from activities a
      where a.account_id = ${accountId} and ${isIn(range, sql`a.contact_key`)} and ${from}
        and not exists (select 1 from activity_moves m where m.account_id = ${accountId} and m.contact_key = a.contact_key)
      union all
      select m.target_key, channel, activity, occurred_at
      from activity_moves m join activities a on a.account_id = ${accountId} and a.contact_key = m.contact_key and ${from}
      where m.account_id = ${accountId} and ${isIn(range, sql`m.target_key`)}
    ), timed as (
      select *, floor(extract(epoch from occurred_at) / 60)::integer as minute from own
    ), summaries as (
      select contact_key, count(*) as activities, min(occurred_at) filter ${seen} as first_seen, max(occurred_at) filter ${seen} as last_seen,
        ${sql.join(
          summaryColumns.flatMap(({ at, minutes }, index) => [
            sql`${values[index]!.at} as ${sql.ref(at)}`,
            sql`${values[index]!.minutes} as ${sql.ref(minutes)}`,
          ]),
        )}
      from timed group by contact_key
    ), stored as (
      insert into activity_summaries (account_id, contact_key, ${sql.join(valueColumns.map((name) => sql.ref(name)))})
      select ${accountId}::integer, contact_key, ${sql.join(valueColumns.map((name) => sql.ref(name)))} from summaries
      where coalesce(${sql.join(timeColumns.map((name) => sql.ref(name)))}) is not null
    )
    select coalesce(sum(activities), 0)::float8 as activities from summaries`.execute(trx);
  return rows[0]!.activities;
}

const timeColumns = ['first_seen', ...summaryColumns.map(({ at }) => at)];
const valueColumns = ['first_seen', 'last_seen', ...summaryColumns.flatMap(({ at, minutes }) => [at, minutes])];

function isIn(range: KeyRange, key: RawBuilder<unknown>): RawBuilder<SqlBool> {
  if ('keys' in range) return sql<SqlBool>`${key} = any (${[...range.keys]}::text[])`;
  const { after, last } = range;
  return last === null ? sql<SqlBool>`${key} > ${after}` : sql<SqlBool>`${key} > ${after} and ${key} <= ${last}`;
}

/**
 * Returns the last key of the next step: the step has up to `limit` activities, but always all of
 * its last key. Null: no more keys follow.
 */
export async function lastKeyOfStep(
  trx: Database,
  accountId: number,
  after: string,
  limit: number,
): Promise<string | null> {
  const { rows } = await sql<{ count: number; last: string | null }>`
    select count(*)::float8 as count, max(key) as last from (
      select key from (
        (select contact_key as key from activities where account_id = ${accountId} and contact_key > ${after} order by contact_key limit ${limit})
        union all
        (select target_key from activity_moves where account_id = ${accountId} and target_key > ${after} order by target_key limit ${limit})
      ) as all_keys order by key limit ${limit}
    ) as next_keys`.execute(trx);
  const { count, last } = rows[0]!;
  return count < limit ? null : last;
}

/**
 * Returns up to `limit` keys after a key whose summaries have something from before a month, in
 * order.
 */
export async function keysWithOlder(
  trx: Database,
  accountId: number,
  after: string,
  keptFrom: Month,
  limit: number,
): Promise<string[]> {
  const start = startOfMonth(keptFrom);
  const oldest = sql`least(${sql.join([
    ...timeColumns.map((name) => sql.ref(name)),
    ...summaryColumns.map(({ minutes }) => sql`to_timestamp((${sql.ref(minutes)})[1] * 60.0)`),
  ])})`;
  const { rows } = await sql<{ contact_key: string }>`
    select contact_key from activity_summaries
    where account_id = ${accountId} and contact_key > ${after} and ${oldest} < ${start}::timestamptz
    order by contact_key limit ${limit}`.execute(trx);
  return rows.map((row) => row.contact_key);
}
