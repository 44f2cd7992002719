import { defaultAccountSettings } from '@roster/contract';
import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import { millisecondsPerDay } from '#platform/time/day-length.ts';
import { deleteGroupsBefore } from './event-store.ts';
import { ofAllAccounts } from '#platform/database/statements/all-accounts.ts';

// Groups per transaction. It keeps transactions short.
const groupsPerStep = 500;

/** Deletes the events that are older than the retention time of their account, in small steps. */
export async function deleteOldEvents({ db, now }: Context, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<{ account_id: number; days: number }>`${ofAllAccounts}
    select account_id, coalesce((settings ->> 'event_retention_days')::int,
      ${defaultAccountSettings.event_retention_days}::int) as days
    from event_feeds join accounts using (account_id) order by account_id`.execute(db);
  for (const { account_id: accountId, days } of rows) {
    const before = new Date(now().getTime() - days * millisecondsPerDay);
    const step = () => db.transaction().execute((trx) => deleteGroupsBefore(trx, accountId, before, groupsPerStep));
    while (!signal.aborted && (await step()) === groupsPerStep);
  }
}
