import type { Import } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import type { ImportRow } from './import-store.ts';
import { progressOf } from './progress.ts';

/** An import as the operator API shows it. */
export function importView(row: ImportRow, { now }: Pick<Context, 'now'>): Import {
  const { created, updated, unchanged, failed, warnings } = row;
  return {
    import_id: row.import_id,
    status: row.status,
    file_name: row.file_name,
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
