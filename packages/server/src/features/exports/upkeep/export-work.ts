import type { RunningWork } from '@roster/contract';
import { findAudienceName } from '#features/audiences/audience-store.ts';
import type { Context } from '#platform/context.ts';
import { progressOf, type WorkSource } from '#platform/long-runs/running-work.ts';
import { exportRuns, type ExportRow } from '../store/export-store.ts';

const columns = [
  'account_id',
  'request_id',
  'status',
  'audience_type',
  'audience_id',
  'run',
  'rows_total',
  'rows_written',
  'error',
  'started_at',
  'finished_at',
] as const;

/** The exports of an account, for the list of running work. */
export const exportWork: WorkSource = {
  permission: 'exports:read',
  async list(context, accountId, since) {
    const rows = await exportRuns.listRecent(context.db, accountId, since, columns);
    const work: RunningWork[] = [];
    for (const row of rows) work.push(await workOf(context, row));
    return work;
  },
};

async function workOf({ db, now }: Context, row: Pick<ExportRow, (typeof columns)[number]>): Promise<RunningWork> {
  const { audience_id: id, rows_written: done, rows_total: total, started_at: startedAt } = row;
  const name = id === null ? undefined : await findAudienceName(db, row.account_id, id);
  const completed = row.status === 'completed' || row.status === 'expired';
  // A later run begins at the first row, and nothing tells when it began.
  const since = row.run > 1 ? null : startedAt;
  const progress = progressOf({ done, total, since }, row.finished_at ?? now());
  return {
    kind: 'export',
    id: row.request_id,
    title: name ?? (row.audience_type === null ? 'contacts' : `${row.audience_type} ${id}`),
    status: row.status === 'accepted' ? 'waiting' : row.status === 'expired' ? 'completed' : row.status,
    ...progress,
    ...(completed ? { percent: 100, seconds_left: 0 } : {}),
    rows_done: done,
    rows_total: total,
    rows_failed: 0,
    error: row.error,
    started_at: startedAt?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
