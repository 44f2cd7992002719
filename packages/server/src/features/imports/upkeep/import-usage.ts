import type { UseOfAudiences } from '#features/audiences/audience-uses.ts';
import type { UseOfAttributes } from '#features/attributes/usage/attribute-uses.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { listUses } from '../store/import-store.ts';

/** Lists the unfinished imports of an account that write attributes, the oldest first. */
export async function importsUsingAttributes(db: Database, accountId: number): Promise<UseOfAttributes[]> {
  const rows = await listUses(db, accountId);
  return rows.flatMap(({ id, name, attribute_ids: attributeIds }) => {
    if (attributeIds.length === 0) return [];
    // The requests contain the names of the attributes. A rename would lose the values.
    return { feature: 'import', id, name, attributeIds, byName: true };
  });
}

/** Lists the unfinished imports of an account that add contacts to lists, the oldest first. */
export async function importsUsingAudiences(db: Database, accountId: number): Promise<UseOfAudiences[]> {
  const rows = await listUses(db, accountId);
  return rows.flatMap(({ id, name, audience_ids: audienceIds }) => {
    if (audienceIds.length === 0) return [];
    return { feature: 'import', id, name, prevents_deletion: false, audienceIds };
  });
}
