import type { UseOfAudiences } from '#features/audiences/audience-uses.ts';
import type { UseOfAttributes } from '#features/attributes/usage/attribute-uses.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { importRuns } from '../store/import-store.ts';

/** Lists the unfinished imports of an account that write attributes, the oldest first. */
export async function importsUsingAttributes(db: Database, accountId: number): Promise<UseOfAttributes[]> {
  const rows = await importRuns.listWithJob(db, accountId);
  return rows.flatMap(({ import_id: id, columns, file_name, dry_run }) => {
    const attributeIds = columns.flatMap(({ attribute_id }) => attribute_id ?? []);
    if (attributeIds.length === 0 || dry_run) return [];
    // The requests contain the names of the attributes. A rename would lose the values.
    return { feature: 'import', id, name: file_name ?? 'a file', attributeIds, byName: true };
  });
}

/** Lists the unfinished imports of an account that add contacts to lists, the oldest first. */
export async function importsUsingAudiences(db: Database, accountId: number): Promise<UseOfAudiences[]> {
  const rows = await importRuns.listWithJob(db, accountId);
  return rows.flatMap(({ import_id: id, audience_ids: audienceIds, file_name, dry_run }) => {
    if (audienceIds.length === 0 || dry_run) return [];
    return { feature: 'import', id, name: file_name ?? 'a file', prevents_deletion: false, audienceIds };
  });
}
