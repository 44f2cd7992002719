import { effectiveSettings } from '#features/accounts/store/account-settings.ts';
import type { AccountRow } from '#features/accounts/store/account-store.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { NewEvent } from './event-group.ts';
import { addEvent, addLastEvent, feedEnds, lastEventAt } from './event-store.ts';

const mark = (kind: NewEvent['kind'], details: NewEvent['details']): NewEvent => ({
  kind,
  contactId: null,
  requestId: null,
  details,
});

/**
 * Marks in the feed when an account switches its events off and on again. Otherwise a reader could
 * not see that changes are missing. An account that never had events has no mark.
 */
export async function markSwitch(
  trx: Database,
  { now }: Pick<Context, 'now'>,
  before: AccountRow,
  after: AccountRow,
): Promise<void> {
  const { account_id: accountId } = after;
  const [was, is] = [before, after].map(({ settings }) => effectiveSettings(settings).events);
  if (was === is) return;
  const at = now();
  if (is !== true) return addLastEvent(trx, accountId, mark('events.stopped', {}), at);
  if ((await feedEnds(trx, accountId)).last_position === 0) return;
  // No event came after `events.stopped`, unless a batch was being applied.
  const since = (await lastEventAt(trx, accountId))?.toISOString() ?? null;
  await addEvent(trx, accountId, mark('events.started', { since, until: at.toISOString() }), at);
}
