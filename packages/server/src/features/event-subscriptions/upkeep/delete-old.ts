import type { Context } from '#platform/context.ts';
import { deleteInSteps } from '#platform/loops/delete-in-steps.ts';
import { daysBefore } from '#platform/time/intervals.ts';
import { deleteOldEventDeliveries } from '../store/event-delivery-store.ts';

/** Deletes ended deliveries after `config.deliveryRetentionDays`, and old delivered ones. */
export async function deleteOldDeliveriesOfEvents(context: Context, signal: AbortSignal): Promise<void> {
  const before = daysBefore(context.now(), context.config.deliveryRetentionDays);
  await deleteInSteps(signal, (limit) => deleteOldEventDeliveries(context.db, before, limit));
}
