import type { Context } from '#platform/context.ts';
import { deleteMailsBefore } from './mail-store.ts';
import { daysBefore } from '#platform/time/day-length.ts';

// Limits the time for which other statements wait for the locks of this one.
const rowsPerStatement = 1000;

/**
 * Deletes the mails older than `config.mailRetentionDays`, except those that still wait to be sent.
 */
export async function deleteOldMails(context: Context, signal: AbortSignal): Promise<void> {
  const moment = daysBefore(context.now(), context.config.mailRetentionDays);
  while (!signal.aborted && (await deleteMailsBefore(context.db, moment, rowsPerStatement)) === rowsPerStatement);
}
