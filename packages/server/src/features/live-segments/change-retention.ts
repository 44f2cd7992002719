import { defaultAccountSettings } from '@roster/contract';
import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import { millisecondsPerDay } from '#platform/time/day-length.ts';
import { deleteChangesBefore } from './change-store.ts';
import { ofAllAccounts } from '#platform/database/statements/all-accounts.ts';

// Groups per transaction. It keeps transactions short.
const groupsPerStep = 500;

/**
 * Deletes entries and departures that are older than the retention time of the events of their
 * account. Members stay.
 */
export async function deleteOldChanges({ db, now }: Context, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<{ account_id: number; days: number }>`${ofAllAccounts}
    select account_id, coalesce((settings ->> 'event_retention_days')::int,
      ${defaultAccountSettings.event_retention_days}::int) as days
    from live_accounts join accounts using (account_id) order by account_id`.execute(db);
  for (const { account_id: accountId, days } of rows) {
    const before = new Date(now().getTime() - days * millisecondsPerDay);
    const step = () => db.transaction().execute((trx) => deleteChangesBefore(trx, accountId, before, groupsPerStep));
    while (!signal.aborted && (await step()) === groupsPerStep);
  }
}
