import type { AccountDetail } from '@roster/contract';
import { effectiveSettings } from '../store/account-settings.ts';
import type { AccountRow } from '../store/account-store.ts';
import type { Context } from '#platform/context.ts';
import { dayAt, endOfDay } from '#platform/time/days.ts';
import { countedRequests, deleteDaysBefore } from './day-store.ts';
import { daysBefore } from '#platform/time/intervals.ts';

/** Days for which the counts are kept, so that operators can look at them in the database. */
const keptDays = 32;

/** Returns the date of a moment in a time zone as `YYYY-MM-DD`, and when the next day begins. */
export function dayOf(timeZone: string, at: Date): { readonly day: string; readonly endsAt: Date } {
  const day = dayAt(at.getTime(), timeZone);
  return { day, endsAt: new Date(endOfDay(day, timeZone)) };
}

/** Returns the daily limit of an account for batch adds, and how much of it is used today. */
export async function dailyBatchOf(
  { db, now }: Pick<Context, 'db' | 'now'>,
  account: AccountRow,
): Promise<AccountDetail['daily_batch']> {
  const { day, endsAt } = dayOf(account.time_zone, now());
  return {
    limit: effectiveSettings(account.settings).daily_batch_limit,
    used: await countedRequests(db, { accountId: account.account_id, day }),
    resets_at: endsAt.toISOString(),
  };
}

/** Deletes the counts of old days. */
export async function forgetOldDays({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  const { day } = dayOf('UTC', daysBefore(now(), keptDays));
  await deleteDaysBefore(db, day);
}
