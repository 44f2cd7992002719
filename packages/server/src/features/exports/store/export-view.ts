import type { Export } from '@roster/contract';
import type { Config } from '#platform/config/config.ts';
import type { ExportRow } from './export-store.ts';
import { fileUrl } from './file-url.ts';

/**
 * Returns an export as the operator API shows it. The callback is left out, because its headers can
 * be secrets. The delivery shows its address.
 */
export function exportView(row: ExportRow, config: Config): Export {
  return {
    request_id: row.request_id,
    status: row.status,
    audience_type: row.audience_type,
    audience_id: row.audience_id,
    attributes: row.columns.map(({ name }) => name),
    blocklist_type: row.blocklist_type,
    unmasked: row.unmasked,
    api_key_id: row.api_key_id,
    file_type: 'csv',
    compression: row.compression,
    rows_total: row.rows_total,
    rows_written: row.rows_written,
    file_size: row.file_size,
    file_url: row.status === 'completed' ? fileUrl(config, row) : null,
    error: row.error,
    delivery_id: row.delivery_id,
    mail_id: row.mail_id,
    accepted_at: row.accepted_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
  };
}
