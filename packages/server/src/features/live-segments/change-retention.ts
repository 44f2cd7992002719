import { deleteByRetention } from '#features/events/event-retention.ts';
import type { Context } from '#platform/context.ts';
import { deleteChangesBefore } from './change-store.ts';

/**
 * Deletes entries and departures that are older than the retention time of the events of their
 * account. Members stay.
 */
export async function deleteOldChanges(context: Context, signal: AbortSignal): Promise<void> {
  await deleteByRetention(context, signal, 'live_accounts', deleteChangesBefore);
}
