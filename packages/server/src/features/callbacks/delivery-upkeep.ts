import type { Context } from '#platform/context.ts';
import { deleteDeliveriesBefore } from './store/delivery-store.ts';
import { daysBefore } from '#platform/time/day-length.ts';

// Few, so that no other statement waits long for the locks of this one.
const rowsAtOnce = 1000;

/** Deletes deliveries that finished more than `config.deliveryRetentionDays` ago, with their attempts. */
export async function forgetOldDeliveries(context: Context, signal: AbortSignal): Promise<void> {
  const moment = daysBefore(context.now(), context.config.deliveryRetentionDays);
  while (!signal.aborted && (await deleteDeliveriesBefore(context.db, moment, rowsAtOnce)) === rowsAtOnce);
}
