import type { ExportSchedule, ExportScheduleRun } from '@roster/contract';
import type { Registry } from '#features/registry/registry.ts';
import { shownFilter, type StoredFilter } from '#features/search/filter/stored-filter.ts';
import type { FilterRights } from '#features/search/rights/filter-rights.ts';
import type { ScheduleRunRow } from '../store/schedule-run-store.ts';
import type { ScheduleRow } from '../store/schedule-store.ts';

/**
 * Returns a schedule as the operator API shows it. The secret of S3, and the headers and the body
 * of the callback, are never shown. `rights`: what the caller may see.
 */
export function scheduleView(
  row: ScheduleRow,
  {
    registry,
    rights,
    lastRun,
  }: { readonly registry: Registry; readonly rights: FilterRights; readonly lastRun: ScheduleRunRow | undefined },
): ExportSchedule {
  return {
    schedule_id: row.schedule_id,
    name: row.name,
    status: row.disabled_at !== null ? 'disabled' : row.paused ? 'paused' : 'active',
    audience_type: row.audience_type,
    audience_id: row.audience_id,
    filter: row.filter === null ? null : shownFilter(row.filter as StoredFilter, registry, rights),
    attributes: row.columns.map(({ name }) => name),
    blocklist_type: row.blocklist_type,
    unmasked: row.unmasked,
    compression: row.compression,
    notify_email: row.notify_email,
    callback: row.callback === null ? null : { method: row.callback.method, url: row.callback.endpoint },
    timing: row.timing,
    time_zone: row.time_zone,
    place: row.place,
    keep_files: row.keep_files,
    failures: row.failures,
    disabled_at: row.disabled_at?.toISOString() ?? null,
    next_run_at: row.next_run_at?.toISOString() ?? null,
    last_run: lastRun === undefined ? null : scheduleRunView(lastRun),
    author: row.author,
    version: row.version,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Returns a run of a schedule as the operator API shows it. */
export function scheduleRunView(row: ScheduleRunRow): ExportScheduleRun {
  return {
    due_at: row.due_at.toISOString(),
    by_hand: row.by_hand,
    status: row.status,
    request_id: row.request_id,
    missed: row.missed,
    reason: row.reason,
    rows_written: row.rows_written,
    file_size: row.file_size,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
