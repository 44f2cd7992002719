import { defaultAccountSettings } from '@roster/contract';
import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import { millisecondsPerDay } from '#platform/time/day-length.ts';
import { deleteChangesBefore } from './change-store.ts';
import { findAccounts } from '#platform/database/layout/all-accounts.ts';

// Groups per transaction. It keeps transactions short.
const groupsPerStep = 500;

/**
 * Deletes entries and departures that are older than the retention time of the events of their
 * account. Members stay.
 */
export async function deleteOldChanges(context: Context, signal: AbortSignal): Promise<void> {
  const { db, now } = context;
  const rows = await findAccounts(
    context,
    ['live_accounts', 'accounts'],
    (t) => sql<{ account_id: number; days: number }>`
    select account_id, coalesce((settings ->> 'event_retention_days')::int,
      ${defaultAccountSettings.event_retention_days}::int) as days
    from ${t.live_accounts} join ${t.accounts} using (account_id) order by account_id`,
  );
  for (const { account_id: accountId, days } of rows) {
    const before = new Date(now().getTime() - days * millisecondsPerDay);
    const step = () => db.transaction().execute((trx) => deleteChangesBefore(trx, accountId, before, groupsPerStep));
    while (!signal.aborted && (await step()) === groupsPerStep);
  }
}
