import type { Context } from '#platform/context.ts';
import { cancelRun } from '#platform/long-runs/cancel.ts';
import type { LongRunKey } from '#platform/long-runs/long-runs.ts';
import { endWithoutRun } from '../run/end-import.ts';
import { importRuns, type ImportRow } from '../store/import-store.ts';

/**
 * Cancels an import; see {@link cancelRun}. Rows that were applied stay. A job withdraws at once what waits in the pipeline, and writes the
 * file of failures.
 */
export async function cancelImport(context: Context, key: LongRunKey): Promise<ImportRow> {
  return cancelRun(context, importRuns, key, async (trx) => {
    const row = await endWithoutRun(trx, key, { status: 'cancelled', finished_at: context.now() });
    if (row !== undefined) context.metrics.imports.inc({ outcome: 'cancelled' });
    return row;
  });
}
