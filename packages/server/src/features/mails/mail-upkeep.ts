import type { Context } from '#platform/context.ts';
import { deleteMailsBefore } from './mail-store.ts';
import { daysBefore } from '#platform/time/day-length.ts';

// Few enough that nobody waits for the statement.
const rowsAtOnce = 1000;

/** Deletes the mails that were made more than `config.mailRetentionDays` ago. One that still waits to be sent is kept until it has ended. */
export async function forgetOldMails(context: Context, signal: AbortSignal): Promise<void> {
  const moment = daysBefore(context.now(), context.config.mailRetentionDays);
  while (!signal.aborted && (await deleteMailsBefore(context.db, moment, rowsAtOnce)) === rowsAtOnce);
}
