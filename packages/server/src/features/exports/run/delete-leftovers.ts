import type { Context } from '#platform/context.ts';
import { fileKeyOf, keyOf, markLeftoversDeleted, type ExportRow } from '../store/export-store.ts';

/**
 * Deletes the files that were left in the file store by the runs of an export, up to run `lastRun`.
 * A run leaves a file when it is killed, or when the file store fails.
 *
 * Does nothing for a completed export, whose file must stay.
 */
export async function deleteLeftovers({ db, exportFiles }: Context, row: ExportRow, lastRun = row.run): Promise<void> {
  if (row.file_key !== null || lastRun === 0) return;
  if (row.unfinished_write !== null) await exportFiles.discard(row.unfinished_write);
  for (let run = 1; run <= lastRun; run++) await exportFiles.delete(fileKeyOf({ ...row, run }));
  await markLeftoversDeleted(db, keyOf(row));
}
