import type { Context } from '#platform/context.ts';
import { cancelRun } from '#platform/long-runs/cancel.ts';
import type { LongRunKey } from '#platform/long-runs/long-runs.ts';
import { tellTheEnd } from '../run/end-export.ts';
import { cancelledByOperator } from '../run/export-failure.ts';
import { exportRuns, type ExportRow } from '../store/export-store.ts';

/** Cancels an export; see {@link cancelRun}. A running one ends within a second. Its caller is told that it failed. */
export async function cancelExport(context: Context, key: LongRunKey): Promise<ExportRow> {
  return cancelRun(context, exportRuns, key, async (trx) => {
    const end = { status: 'cancelled', finished_at: context.now(), error: cancelledByOperator } as const;
    const row = await exportRuns.endUnfinished(trx, key, end);
    if (row !== undefined) await tellTheEnd(trx, context, row);
    return row;
  });
}
