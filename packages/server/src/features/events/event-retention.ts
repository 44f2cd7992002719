import { defaultAccountSettings } from '@roster/contract';
import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { findAccounts } from '#platform/database/layout/all-accounts.ts';
import { deleteInSteps } from '#platform/loops/delete-in-steps.ts';
import { daysBefore } from '#platform/time/intervals.ts';
import { deleteGroupsBefore } from './event-store.ts';

// Groups per transaction. It keeps transactions short.
const groupsPerStep = 500;

/** Deletes the events that are older than the retention time of their account, in small steps. */
export async function deleteOldEvents(context: Context, signal: AbortSignal): Promise<void> {
  await deleteByRetention(context, signal, 'event_feeds', deleteGroupsBefore);
}

/**
 * Deletes what is older than the retention time of the events of its account, in small steps. `table`
 * has a row for each account that can have something to delete. `deleteGroups` deletes up to `limit`
 * groups and returns how many.
 */
export async function deleteByRetention(
  context: Context,
  signal: AbortSignal,
  table: 'event_feeds' | 'live_accounts',
  deleteGroups: (trx: Database, accountId: number, before: Date, limit: number) => Promise<number>,
): Promise<void> {
  const { db, now } = context;
  const rows = await findAccounts(
    context,
    [table, 'accounts'],
    (t) => sql<{ account_id: number; days: number }>`
    select account_id, coalesce((settings ->> 'event_retention_days')::int,
      ${defaultAccountSettings.event_retention_days}::int) as days
    from ${t[table]} join ${t.accounts} using (account_id) order by account_id`,
  );
  for (const { account_id: accountId, days } of rows) {
    const before = daysBefore(now(), days);
    const step = (limit: number) => db.transaction().execute((trx) => deleteGroups(trx, accountId, before, limit));
    await deleteInSteps(signal, step, groupsPerStep);
  }
}
