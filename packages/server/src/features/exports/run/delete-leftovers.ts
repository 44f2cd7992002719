import type { Context } from '#platform/context.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import type { FileStore } from '#platform/files/file-store.ts';
import { openExportFiles } from '../place/export-files.ts';
import { fileKeyOf, keyOf, markLeftoversDeleted, type ExportRow } from '../store/export-store.ts';

/**
 * Deletes the files that were left in the file store by the runs of an export, up to run `lastRun`.
 * A run leaves a file when it is killed, or when the file store fails.
 *
 * Does nothing for a completed export, whose file must stay.
 */
export async function deleteLeftovers(
  { db }: Context,
  files: FileStore,
  row: ExportRow,
  lastRun = row.run,
): Promise<void> {
  if (row.file_key !== null || lastRun === 0) return;
  if (row.unfinished_write !== null) await files.discard(row.unfinished_write);
  for (let run = 1; run <= lastRun; run++) await files.delete(fileKeyOf({ ...row, run }));
  await markLeftoversDeleted(db, keyOf(row));
}

/**
 * Deletes the leftovers of an export that has ended. A place in S3 that cannot be reached anymore
 * keeps its leftovers: an unfinished upload, which nobody can see.
 */
export async function deleteAllLeftovers(context: Context, row: ExportRow): Promise<void> {
  try {
    await using files = await openExportFiles(context, row);
    await deleteLeftovers(context, files.store, row);
  } catch (error) {
    if (row.place === null) throw error;
    context.log.warn({ export: row.request_id, err: describeError(error) }, 'could not delete leftovers in S3');
    await markLeftoversDeleted(context.db, keyOf(row));
  }
}
