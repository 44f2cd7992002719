import { defaultAccountSettings } from '@roster/contract';
import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import { millisecondsPerDay } from '#platform/time/day-length.ts';
import { deleteGroupsBefore } from './event-store.ts';
import { findAccounts } from '#platform/database/layout/all-accounts.ts';

// Groups per transaction. It keeps transactions short.
const groupsPerStep = 500;

/** Deletes the events that are older than the retention time of their account, in small steps. */
export async function deleteOldEvents(context: Context, signal: AbortSignal): Promise<void> {
  const { db, now } = context;
  const rows = await findAccounts(
    context,
    ['event_feeds', 'accounts'],
    (t) => sql<{ account_id: number; days: number }>`
    select account_id, coalesce((settings ->> 'event_retention_days')::int,
      ${defaultAccountSettings.event_retention_days}::int) as days
    from ${t.event_feeds} join ${t.accounts} using (account_id) order by account_id`,
  );
  for (const { account_id: accountId, days } of rows) {
    const before = new Date(now().getTime() - days * millisecondsPerDay);
    const step = () => db.transaction().execute((trx) => deleteGroupsBefore(trx, accountId, before, groupsPerStep));
    while (!signal.aborted && (await step()) === groupsPerStep);
  }
}
