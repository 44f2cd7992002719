import type { Context } from '#platform/context.ts';
import { deleteDeliveriesBefore } from './store/delivery-store.ts';
import { daysBefore } from '#platform/time/day-length.ts';

// Few enough that nobody waits for the statement.
const rowsAtOnce = 1000;

/** Deletes the deliveries that were finished more than `config.deliveryRetentionDays` ago, with their attempts. */
export async function forgetOldDeliveries(context: Context, signal: AbortSignal): Promise<void> {
  const moment = daysBefore(context.now(), context.config.deliveryRetentionDays);
  while (!signal.aborted && (await deleteDeliveriesBefore(context.db, moment, rowsAtOnce)) === rowsAtOnce);
}
