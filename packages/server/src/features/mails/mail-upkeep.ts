import type { Context } from '#platform/context.ts';
import { deleteMailsBefore } from './mail-store.ts';
import { deleteInSteps } from '#platform/loops/delete-in-steps.ts';
import { daysBefore } from '#platform/time/intervals.ts';

/**
 * Deletes the mails older than `config.mailRetentionDays`, except those that still wait to be sent.
 */
export async function deleteOldMails(context: Context, signal: AbortSignal): Promise<void> {
  const moment = daysBefore(context.now(), context.config.mailRetentionDays);
  await deleteInSteps(signal, (limit) => deleteMailsBefore(context.db, moment, limit));
}
