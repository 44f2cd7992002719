import type { Erasure } from '@roster/contract';
import type { ErasureRow } from './erasure-store.ts';
import type { ExportFileRow } from './export-file-store.ts';

/** Returns an erasure as the operator API shows it. */
export function erasureView(row: ErasureRow, files: readonly ExportFileRow[]): Erasure {
  return {
    request_id: row.request_id,
    contact_id: row.contact_id,
    status: row.finished_at === null ? 'running' : 'done',
    accepted_at: row.accepted_at.toISOString(),
    erased_at: row.erased_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    erased: { items: row.erased_items, mails: row.erased_mails, sign_ups: row.erased_sign_ups },
    export_files: exportFilesView(files),
  };
}

/**
 * Returns the export files of a person. Exports that have not started are left out: they have no
 * file.
 */
export function exportFilesView(files: readonly ExportFileRow[]): Erasure['export_files'] {
  return files.flatMap(({ status, expires_at: expiresAt, ...file }) =>
    status === 'accepted'
      ? []
      : {
          request_id: file.request_id,
          audience_type: file.audience_type,
          audience_id: file.audience_id,
          status,
          expires_at: expiresAt?.toISOString() ?? null,
        },
  );
}
