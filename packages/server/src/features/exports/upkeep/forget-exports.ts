import type { Context } from '#platform/context.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { clearLeftovers } from '../run/clear-leftovers.ts';
import { deleteExportsBefore, listOldLeftovers } from '../store/export-store.ts';

// Few enough that nobody waits for the statement.
const rowsAtOnce = 1000;
const leftoversAtOnce = 100;

/**
 * Deletes the exports whose file was deleted more than `config.exportRetentionDays` ago, or that ended so long ago without one.
 *
 * What one has left in a store that did not answer then is cleared away first; until that is done the export stays.
 */
export async function forgetOldExports(context: Context, signal: AbortSignal): Promise<void> {
  const moment = new Date(context.now().getTime() - context.config.exportRetentionDays * 86_400_000);
  for (const row of await listOldLeftovers(context.db, moment, leftoversAtOnce)) {
    if (signal.aborted) return;
    try {
      await clearLeftovers(context, row);
    } catch (error) {
      const err = describeError(error);
      context.log.error({ export: row.request_id, err }, 'what an old export left in the store was not cleared away');
    }
  }
  while (!signal.aborted && (await deleteExportsBefore(context.db, moment, rowsAtOnce)) === rowsAtOnce);
}
