import type { Context } from '#platform/context.ts';
import { deleteMailsBefore } from './mail-store.ts';
import { daysBefore } from '#platform/time/day-length.ts';

// Few enough that other statements do not wait for this one.
const rowsAtOnce = 1000;

/**
 * Deletes the mails older than `config.mailRetentionDays`, except those that still wait to be sent.
 */
export async function deleteOldMails(context: Context, signal: AbortSignal): Promise<void> {
  const moment = daysBefore(context.now(), context.config.mailRetentionDays);
  while (!signal.aborted && (await deleteMailsBefore(context.db, moment, rowsAtOnce)) === rowsAtOnce);
}
