import { defaultAccountSettings } from '@roster/contract';
import { sql } from 'kysely';
import {
  addActivityCounts,
  countsOf,
  groupActivities,
  timeZoneOf,
  type ActivityGroup,
} from '../counts/activity-count-store.ts';
import type { Partition } from '../store/partition-store.ts';
import type { Context } from '#platform/context.ts';
import { findAccounts } from '#platform/database/layout/all-accounts.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ofAllAccounts } from '#platform/database/statements/all-accounts.ts';

const retention = sql<number>`coalesce((settings ->> 'activity_retention_months')::int, ${defaultAccountSettings.activity_retention_months})`;

/** Returns the longest retention time of any account in months, or the default without accounts. */
export async function longestRetention(db: Database): Promise<number> {
  const { longest } = await db
    .selectFrom('accounts')
    .select((eb) => eb.fn.max(retention).as('longest'))
    .executeTakeFirstOrThrow();
  return longest ?? defaultAccountSettings.activity_retention_months;
}

/** Returns the accounts in a partition that keep activities for less than `months` months. */
export async function accountsWithShorterRetention(
  context: Pick<Context, 'servers' | 'log'>,
  partition: string,
  months: number,
): Promise<number[]> {
  const rows = await findAccounts(
    context,
    ['accounts', partition],
    (t) => sql<{ account_id: number }>`
    select account_id from ${t['accounts']} a
    where ${retention} < ${months} and exists (select 1 from ${t[partition]} p where p.account_id = a.account_id)
    order by account_id`,
  );
  return rows.map((row) => row.account_id);
}

/**
 * Deletes at most `limit` activities of an account in a partition, and subtracts them from the
 * counts. The caller holds the lane of the account. Returns how many.
 */
export async function deleteRows(
  trx: Database,
  accountId: number,
  { name, month }: Partition,
  limit: number,
): Promise<number> {
  const table = sql.id(name);
  const timeZone = await timeZoneOf(trx, accountId);
  const { rows } = await sql<ActivityGroup>`
    with gone as (
      delete from ${table} where account_id = ${accountId} and ctid = any (array(
        select ctid from ${table} where account_id = ${accountId} limit ${limit})) returning *
    )
    ${groupActivities(month, timeZone, sql`gone`)}`.execute(trx);
  await addActivityCounts(trx, accountId, { counts: countsOf(month, timeZone, rows, -1) });
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** Deletes the awaited opt-outs that are older than the retention time of their account. */
export async function deleteAwaitedOptOuts(db: Database, at: Date): Promise<void> {
  await sql`${ofAllAccounts}
    delete from awaited_opt_outs o using accounts a
    where o.account_id = a.account_id
      and o.occurred_at at time zone 'UTC'
        < date_trunc('month', ${at}::timestamptz at time zone 'UTC') - make_interval(months => ${retention})`.execute(
    db,
  );
}
