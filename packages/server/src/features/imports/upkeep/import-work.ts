import type { RunningWork } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import type { WorkSource } from '#platform/long-runs/running-work.ts';
import { importRuns, type ImportRow } from '../store/import-store.ts';
import { progressColumns, progressOf } from '../store/import-view.ts';

const columns = [...progressColumns, 'import_id', 'file_name', 'failed', 'failure_code', 'failure_message'] as const;

/** The imports of an account, for the list of running work. */
export const importWork: WorkSource = {
  permission: 'imports:read',
  async list(context, accountId, since) {
    const rows = await importRuns.listRecent(context.db, accountId, since, columns);
    return rows.flatMap((row) => (row.status === 'awaiting_file' ? [] : [workOf(context, row)]));
  },
};

function workOf({ now }: Context, row: Pick<ImportRow, (typeof columns)[number]>): RunningWork {
  const { status, started_at, finished_at } = row;
  const { percent, rows_read, rows_per_second, seconds_left } = progressOf(row, now());
  return {
    kind: 'import',
    id: row.import_id,
    title: row.file_name ?? 'file',
    status: status === 'accepted' || status === 'fetching' || status === 'awaiting_file' ? 'waiting' : status,
    percent,
    rows_done: rows_read,
    rows_total: status === 'completed' ? rows_read : null,
    rows_failed: row.failed,
    rows_per_second,
    seconds_left,
    error: row.failure_code === null ? null : (row.failure_message ?? ''),
    started_at: started_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
  };
}
