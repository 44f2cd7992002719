import type { WorkSource } from '#platform/long-runs/running-work.ts';
import { listRecentErasures } from './store/erasure-store.ts';

/** The erasures of an account, for the list of running work. */
export const erasureWork: WorkSource = {
  permission: 'privacy:read',
  async list({ db }, accountId, since) {
    const rows = await listRecentErasures(db, accountId, since);
    return rows.map((row) => ({
      kind: 'erasure',
      id: row.request_id,
      title: `contact ${row.contact_id}`,
      status: row.finished_at === null ? 'running' : 'completed',
      percent: row.finished_at === null ? null : 100,
      rows_done: row.erased_items,
      rows_total: null,
      rows_failed: 0,
      rows_per_second: null,
      seconds_left: null,
      error: null,
      started_at: row.erased_at.toISOString(),
      finished_at: row.finished_at?.toISOString() ?? null,
    }));
  },
};
