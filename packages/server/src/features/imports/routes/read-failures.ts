import { Readable } from 'node:stream';
import type { Context } from '#platform/context.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { failuresCsv } from '../run/failures-file.ts';
import type { ImportRow } from '../store/import-store.ts';

/**
 * The file of failures of an import that has ended; one with the header alone when there are none.
 *
 * Throws `conflict` while it is not written, `failures_expired`, and `failures_missing` when it could not be written: an empty one would say
 * that no row has failed.
 */
export async function readFailures(context: Context, row: ImportRow): Promise<Readable> {
  const content = row.failures_key === null ? undefined : await context.exportFiles.read(row.failures_key);
  if (content !== undefined && row.finished_at !== null) return content;
  if (row.failures_expire_at !== null && row.failures_key === null) throw new ApiError('failures_expired');
  // After a cancellation, the file is there when the import's own file is not any more.
  if (row.finished_at === null || (row.file_key !== null && row.status !== 'completed')) {
    const reason = `The import is ${row.finished_at === null ? row.status : 'ending'}. Ask again when it has ended: its failures are not complete yet.`;
    throw new ApiError('conflict', { params: { reason } });
  }
  if (row.failed + row.warnings > 0) throw new ApiError('failures_missing');
  const { records, csv } = failuresCsv(row, none(), true);
  return records.pipe(csv);
}

async function* none(): AsyncGenerator<never> {
  // An import without failures has no file of them.
}
