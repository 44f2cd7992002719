import type { AccountDetail } from '@roster/contract';
import { effectiveSettings } from '../store/account-settings.ts';
import type { AccountRow } from '../store/account-store.ts';
import type { Context } from '#platform/context.ts';
import { dayAt, endOfDay } from '#platform/time/days.ts';
import { countedRequests, deleteDaysBefore } from './day-store.ts';
import { daysBefore } from '#platform/time/day-length.ts';

/** Days for which the counts are kept, for operators who ask the database what happened. */
const keptDays = 32;

/** The day of a moment in a time zone: its date as `YYYY-MM-DD`, and when the next one begins. */
export function dayOf(timeZone: string, at: Date): { readonly day: string; readonly endsAt: Date } {
  const day = dayAt(at.getTime(), timeZone);
  return { day, endsAt: new Date(endOfDay(day, timeZone)) };
}

/** How far an account is with its batch adds of today. */
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

/** Forgets the counts of days long over. */
export async function forgetOldDays({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  const { day } = dayOf('UTC', daysBefore(now(), keptDays));
  await deleteDaysBefore(db, day);
}
