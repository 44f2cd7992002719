import type { ExportRow } from './export-store.ts';

/**
 * Where the file of a run lies in the store. Each run has a place of its own: one that was taken for dead and is not cannot touch the file
 * that the next one has completed.
 */
export function fileKey(row: Pick<ExportRow, 'account_id' | 'request_id' | 'run' | 'compression'>): string {
  return `${row.account_id}/${row.request_id}-${row.run}.csv${row.compression === 'gzip' ? '.gz' : ''}`;
}
