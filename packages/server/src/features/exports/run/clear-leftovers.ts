import type { Context } from '#platform/context.ts';
import { keyOf, noteCleared, type ExportRow } from '../store/export-store.ts';
import { fileKey } from '../store/file-key.ts';

/**
 * Removes what the runs of an export up to `last` left in the store: they were killed, or could not say how they ended.
 *
 * Not for an export that is completed: its file would go too.
 */
export async function clearLeftovers({ db, exportFiles }: Context, row: ExportRow, last = row.run): Promise<void> {
  if (row.file_key !== null || last === 0) return;
  if (row.unfinished_write !== null) await exportFiles.discard(row.unfinished_write);
  for (let run = 1; run <= last; run++) await exportFiles.delete(fileKey({ ...row, run }));
  await noteCleared(db, keyOf(row));
}
