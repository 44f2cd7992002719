import type { Context } from '#platform/context.ts';
import { deleteDeliveriesBefore } from './store/delivery-store.ts';
import { daysBefore } from '#platform/time/day-length.ts';

// Limits the time for which other statements wait for the locks of this one.
const rowsPerStatement = 1000;

/** Deletes deliveries `config.deliveryRetentionDays` after they finished, with their attempts. */
export async function deleteOldDeliveries(context: Context, signal: AbortSignal): Promise<void> {
  const moment = daysBefore(context.now(), context.config.deliveryRetentionDays);
  while (!signal.aborted && (await deleteDeliveriesBefore(context.db, moment, rowsPerStatement)) === rowsPerStatement);
}
