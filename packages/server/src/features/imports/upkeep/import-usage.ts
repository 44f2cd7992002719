import type { Database } from '#platform/database/connection/database.ts';
import { listUnfinishedImportsOf } from '../store/import-store.ts';

/** An import that has not ended, and what of some attributes it writes (decisions §4). */
export interface ImportUse {
  readonly import_id: string;
  /** Those of the given attributes that it writes, in the order of its columns. */
  readonly attributeIds: readonly number[];
  /** The file, for people. */
  readonly name: string;
}

/** The unfinished imports of an account that write any of the attributes, the oldest first. */
export async function unfinishedImportsUsing(
  db: Database,
  accountId: number,
  attributeIds: readonly number[],
): Promise<ImportUse[]> {
  const wanted = new Set(attributeIds);
  const rows = await listUnfinishedImportsOf(db, accountId);
  return rows.flatMap(({ import_id, columns, file_name, dry_run }) => {
    const used = columns.flatMap(({ attribute_id: id }) => (id !== undefined && wanted.has(id) ? id : []));
    if (used.length === 0 || dry_run) return [];
    return { import_id, attributeIds: used, name: file_name ?? 'a file' };
  });
}
