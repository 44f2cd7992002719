import type { Context } from '#platform/context.ts';
import { daysBefore } from '#platform/time/day-length.ts';
import { deleteOldEventDeliveries } from '../store/event-delivery-store.ts';

// Limits the time for which other statements wait for the locks of this one.
const rowsPerStatement = 1000;

/** Deletes ended deliveries after `config.deliveryRetentionDays`, and old delivered ones. */
export async function deleteOldDeliveriesOfEvents(context: Context, signal: AbortSignal): Promise<void> {
  const before = daysBefore(context.now(), context.config.deliveryRetentionDays);
  while (!signal.aborted && (await deleteOldEventDeliveries(context.db, before, rowsPerStatement)) >= rowsPerStatement);
}
