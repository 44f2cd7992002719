import type { ListGrowth } from '@roster/contract';
import { sql } from 'kysely';
import { findAccount } from '#features/accounts/store/account-store.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { addDays, dayAt } from '#platform/time/days.ts';

/** The growth of a list up to today. */
export interface GrowthScope {
  readonly accountId: number;
  readonly audienceId: number;
  readonly now: Date;
  /** Number of days. Days before the list was counted are left out. */
  readonly days: number;
}

interface CountedList {
  readonly member_count: number;
  readonly counted_since: Date;
  readonly days: readonly { readonly day: string; readonly joined: number; readonly departed: number }[];
}

/**
 * Returns the growth of a list, day by day. Undefined when the account has no such list.
 *
 * The members at the end of a day are today's members without all later changes.
 */
export async function listGrowth(
  db: Database,
  { accountId, audienceId, now, days }: GrowthScope,
): Promise<ListGrowth | undefined> {
  const account = await findAccount(db, accountId);
  if (account === undefined) return undefined;
  const today = dayAt(now.getTime(), account.time_zone);
  const first = addDays(today, 1 - days);
  const list = await loadCounts(db, accountId, audienceId, first);
  if (list === undefined) return undefined;
  const counts = new Map(list.days.map((day) => [day.day, day]));
  const counted = dayAt(list.counted_since.getTime(), account.time_zone);
  // A day after today is possible when the time zone has changed.
  const last = list.days.at(-1)?.day ?? today;
  const data: ListGrowth['data'] = [];
  let members = list.member_count;
  for (let day = last > today ? last : today; day >= first && day >= counted; day = addDays(day, -1)) {
    const { joined = 0, departed = 0 } = counts.get(day) ?? {};
    data.unshift({ day, joined, left: departed, member_count: members });
    members -= joined - departed;
  }
  return {
    audience_id: audienceId,
    time_zone: account.time_zone,
    counted_since: list.counted_since.toISOString(),
    data,
  };
}

/** Loads a list and its days in one statement, so that they fit together. */
async function loadCounts(
  db: Database,
  accountId: number,
  audienceId: number,
  from: string,
): Promise<CountedList | undefined> {
  const { rows } = await sql<CountedList>`
    select a.member_count, coalesce(a.counted_since, a.created_at) as counted_since,
      coalesce((
        select jsonb_agg(jsonb_build_object('day', d.day, 'joined', d.joined, 'departed', d.departed) order by d.day)
        from list_days d
        where d.account_id = ${accountId} and d.audience_id = ${audienceId} and d.day >= ${from}::date
      ), '[]') as days
    from audiences a
    where a.account_id = ${accountId} and a.audience_id = ${audienceId} and a.audience_type = 'list'`.execute(db);
  return rows[0];
}
