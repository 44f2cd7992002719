import type { Import } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { shownUrl } from './source-url.ts';
import type { ImportRow } from './import-store.ts';

/** Returns an import as the operator API shows it. */
export function importView(row: ImportRow, { now }: Pick<Context, 'now'>): Import {
  const { created, updated, unchanged, failed, warnings } = row;
  return {
    import_id: row.import_id,
    status: row.status,
    file_name: row.file_name,
    source_url: row.source_url === null ? null : shownUrl(row.source_url),
    notify_email: row.notify_email,
    mail_id: row.mail_id,
    file_size: row.file_size,
    received_bytes: row.file_size ?? row.received,
    format: row.format,
    encoding: row.encoding,
    delimiter: (row.delimiter === '\t' ? 'tab' : row.delimiter) as Import['delimiter'],
    compression: row.compression,
    mode: row.mode,
    blank_cells: row.blank_cells,
    formula_guard: row.given.formula_guard ?? 'auto',
    audience_ids: row.audience_ids,
    unknown_columns: row.unknown_columns,
    given_columns: { ...row.given.columns },
    preset: row.given.preset ?? null,
    opt_out: [...(row.given.opt_out ?? [])],
    dry_run: row.dry_run,
    columns: row.columns.map(({ header, meaning, name, data_type, new_type, note }) => ({
      header,
      field: meaning === 'skipped' || (meaning === 'unknown' && new_type === undefined) ? null : (name ?? null),
      is_identity: meaning === 'identity',
      data_type: new_type ?? data_type ?? null,
      is_new: new_type !== undefined,
      note: note ?? null,
    })),
    unknown_headers: row.columns.filter(({ meaning }) => meaning === 'unknown').map(({ header }) => header),
    progress: progressOf(row, now()),
    counts: { total: created + updated + unchanged + failed, created, updated, unchanged, failed, warnings },
    failure: row.failure_code === null ? null : { code: row.failure_code, message: row.failure_message ?? '' },
    created_at: row.created_at.toISOString(),
    uploaded_at: row.uploaded_at?.toISOString() ?? null,
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    failures_expire_at: row.failures_key === null ? null : (row.failures_expire_at?.toISOString() ?? null),
  };
}

/** The columns that {@link progressOf} needs. */
export const progressColumns = [
  'status',
  'bytes_read',
  'bytes_total',
  'rows_read',
  'run_started_at',
  'run_started_bytes',
  'run_started_rows',
  'started_at',
  'finished_at',
] as const;

type ProgressRow = Pick<ImportRow, (typeof progressColumns)[number]>;

/** Returns the progress of an import, its speed, and the time that is left at this speed. */
export function progressOf(row: ProgressRow, now: Date): Import['progress'] {
  const { bytes_read: bytes, bytes_total: total, rows_read } = row;
  if (row.status === 'completed')
    return { percent: 100, rows_read, rows_per_second: averageRate(row), seconds_left: 0 };
  const share = total === null || total === 0 ? 0 : Math.min(bytes / total, 1);
  // Only a completed import shows 100, because rows are read before they are applied.
  const percent = Math.min(99, Math.floor(share * 100));
  const seconds = row.run_started_at === null ? 0 : (now.getTime() - row.run_started_at.getTime()) / 1000;
  const read = bytes - row.run_started_bytes;
  if (row.status !== 'running' || seconds <= 0 || read <= 0) {
    return { percent, rows_read, rows_per_second: null, seconds_left: null };
  }
  return {
    percent,
    rows_read,
    rows_per_second: Math.round((rows_read - row.run_started_rows) / seconds),
    seconds_left: total === null ? null : Math.ceil(((total - Math.min(bytes, total)) * seconds) / read),
  };
}

function averageRate({ rows_read, started_at, finished_at }: ProgressRow): number | null {
  const seconds = (finished_at!.getTime() - (started_at ?? finished_at!).getTime()) / 1000;
  return seconds > 0 ? Math.round(rows_read / seconds) : null;
}
