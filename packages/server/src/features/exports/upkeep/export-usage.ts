import type { Database } from '#platform/database/connection/database.ts';
import { listUnfinishedExportsOf } from '../store/export-store.ts';

/** An export that has not ended, and what of some attributes it uses (decisions §4). */
export interface ExportUse {
  readonly request_id: string;
  /** Those of the given attributes that it exports, in the order of its columns. */
  readonly attributeIds: readonly number[];
  /** What it exports, for people: `list 5`. */
  readonly name: string;
}

/** The unfinished exports of an account that export any of the attributes, the oldest first. */
export async function unfinishedExportsUsing(
  db: Database,
  accountId: number,
  attributeIds: readonly number[],
): Promise<ExportUse[]> {
  const wanted = new Set(attributeIds);
  const rows = await listUnfinishedExportsOf(db, accountId);
  return rows.flatMap(({ request_id, columns, audience_type, audience_id }) => {
    const used = columns.flatMap(({ attribute_id: id }) => (id !== undefined && wanted.has(id) ? id : []));
    if (used.length === 0) return [];
    return { request_id, attributeIds: [...new Set(used)], name: `${audience_type} ${audience_id}` };
  });
}
