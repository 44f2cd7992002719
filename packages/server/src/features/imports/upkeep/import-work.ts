import type { RunningWork } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import type { WorkSource } from '#platform/long-runs/running-work.ts';
import { importRuns, type ImportRow } from '../store/import-store.ts';
import { importView } from '../store/import-view.ts';

/** The imports of an account, for the list of running work. */
export const importWork: WorkSource = {
  permission: 'imports:read',
  async list(context, accountId, since) {
    const rows = await importRuns.listRecent(context.db, accountId, since);
    return rows.flatMap((row) => (row.status === 'awaiting_file' ? [] : [workOf(context, row)]));
  },
};

function workOf(context: Context, row: ImportRow): RunningWork {
  const { progress, counts, failure, status, started_at, finished_at } = importView(row, context);
  const { percent, rows_read, rows_per_second, seconds_left } = progress;
  return {
    kind: 'import',
    id: row.import_id,
    title: row.file_name ?? 'file',
    status: status === 'accepted' || status === 'fetching' || status === 'awaiting_file' ? 'waiting' : status,
    percent,
    rows_done: rows_read,
    rows_total: status === 'completed' ? rows_read : null,
    rows_failed: counts.failed,
    rows_per_second,
    seconds_left,
    error: failure?.message ?? null,
    started_at,
    finished_at,
  };
}
