import type { Export } from '@roster/contract';
import type { Registry } from '#features/registry/registry.ts';
import { shownFilter, type StoredFilter } from '#features/search/filter/stored-filter.ts';
import type { FilterRights } from '#features/search/rights/filter-rights.ts';
import type { Context } from '#platform/context.ts';
import type { ExportPlace } from '#platform/database/schema/tables/exports.ts';
import type { ExportRow } from './export-store.ts';
import { fileUrl } from './file-url.ts';

/** The rights of the caller on files. */
export interface FileRights {
  /** True: may download files of exports. */
  readonly mayExport: boolean;
  /** What the caller may see. */
  readonly rights: FilterRights;
}

/**
 * Returns an export as the operator API shows it. The callback is left out, because its headers can
 * be secrets. The delivery shows its address.
 */
export function exportView(
  row: ExportRow,
  { config, now }: Pick<Context, 'config' | 'now'>,
  { registry, rights: { mayExport, rights } }: { readonly registry: Registry; readonly rights: FileRights },
): Export {
  const hasFile = row.status === 'completed' && row.place === null;
  const mayRead = mayExport && (rights.unmasked || !row.unmasked);
  return {
    request_id: row.request_id,
    status: row.status,
    audience_type: row.audience_type,
    audience_id: row.audience_id,
    filter: row.filter === null ? null : shownFilter(row.filter as StoredFilter, registry, rights),
    attributes: row.columns.map(({ name }) => name),
    blocklist_type: row.blocklist_type,
    unmasked: row.unmasked,
    author: row.author,
    api_key_id: row.api_key_id,
    schedule_id: row.schedule_id,
    due_at: row.due_at?.toISOString() ?? null,
    place: row.place === null ? null : placeText(row.place),
    file_type: 'csv',
    compression: row.compression,
    rows_total: row.rows_total,
    rows_written: row.rows_written,
    file_size: row.file_size,
    file_url: hasFile && mayRead ? fileUrl(config, row, now()) : null,
    error: row.error,
    delivery_id: row.delivery_id,
    mail_id: row.mail_id,
    accepted_at: row.accepted_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
  };
}

/** Returns a place in S3 as a text for people. */
export function placeText({ bucket, prefix }: ExportPlace): string {
  return `s3://${bucket}/${prefix}`;
}
