import { bulkChangeFailures, type RunningWork } from '@roster/contract';
import type { WorkSource } from '#platform/long-runs/running-work.ts';
import { bulkChangeRuns, type BulkChangeRow } from '../store/bulk-change-store.ts';
import { progressColumns, progressOf } from '../store/bulk-change-view.ts';

const columns = [...progressColumns, 'bulk_change_id', 'action', 'failure_code'] as const;

/** The bulk changes of an account, for the list of running work. */
export const bulkChangeWork: WorkSource = {
  permission: 'contacts:read',
  async list({ db, now }, accountId, since) {
    const rows = await bulkChangeRuns.listRecent(db, accountId, since, columns);
    return rows.map((row) => workOf(row, now()));
  },
};

function workOf(row: Pick<BulkChangeRow, (typeof columns)[number]>, now: Date): RunningWork {
  const { status, failure_code: code } = row;
  const progress = progressOf(row, now);
  return {
    kind: 'bulk_change',
    id: row.bulk_change_id,
    title: row.action.type,
    status: status === 'accepted' ? 'waiting' : status,
    percent: progress.percent,
    rows_done: progress.done,
    rows_total: progress.total,
    rows_failed: row.failed,
    rows_per_second: progress.contacts_per_second,
    seconds_left: progress.seconds_left,
    error: code === null ? null : bulkChangeFailures[code],
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
