import type { RunningWork } from '@roster/contract';
import type { WorkSource } from '#platform/long-runs/running-work.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import { noFilterRights } from '#features/search/rights/filter-rights.ts';
import { bulkChangeRuns, type BulkChangeRow } from '../store/bulk-change-store.ts';
import { bulkChangeView } from '../store/bulk-change-view.ts';

/** The bulk changes of an account, for the list of running work. */
export const bulkChangeWork: WorkSource = {
  permission: 'contacts:read',
  async list(context, accountId, since) {
    const rows = await bulkChangeRuns.listRecent(context.db, accountId, since);
    if (rows.length === 0) return [];
    const registry = await loadRegistry(context.db, accountId);
    return rows.map((row) => workOf(row, bulkChangeView(row, { registry, rights: noFilterRights }, context)));
  },
};

function workOf(
  { bulk_change_id: id }: BulkChangeRow,
  { action, status, progress, counts, failure, started_at, finished_at }: ReturnType<typeof bulkChangeView>,
): RunningWork {
  return {
    kind: 'bulk_change',
    id,
    title: action.type,
    status: status === 'accepted' ? 'waiting' : status,
    percent: progress.percent,
    rows_done: progress.done,
    rows_total: progress.total,
    rows_failed: counts.failed,
    rows_per_second: progress.contacts_per_second,
    seconds_left: progress.seconds_left,
    error: failure?.message ?? null,
    started_at,
    finished_at,
  };
}
