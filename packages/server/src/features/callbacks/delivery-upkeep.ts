import type { Context } from '#platform/context.ts';
import { deleteDeliveriesBefore } from './store/delivery-store.ts';
import { deleteInSteps } from '#platform/loops/delete-in-steps.ts';
import { daysBefore } from '#platform/time/intervals.ts';

/** Deletes deliveries `config.deliveryRetentionDays` after they finished, with their attempts. */
export async function deleteOldDeliveries(context: Context, signal: AbortSignal): Promise<void> {
  const moment = daysBefore(context.now(), context.config.deliveryRetentionDays);
  await deleteInSteps(signal, (limit) => deleteDeliveriesBefore(context.db, moment, limit));
}
