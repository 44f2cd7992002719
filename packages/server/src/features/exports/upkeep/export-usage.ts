import type { UseOfAudiences } from '#features/audiences/audience-uses.ts';
import type { UseOfAttributes } from '#features/attributes/usage/attribute-uses.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { exportRuns } from '../store/export-store.ts';

/** Lists the unfinished exports of an account that export attributes, the oldest first. */
export async function exportsUsingAttributes(db: Database, accountId: number): Promise<UseOfAttributes[]> {
  const rows = await exportRuns.listWithJob(db, accountId);
  return rows.flatMap(({ request_id: id, columns, audience_type, audience_id }) => {
    const attributeIds = [...new Set(columns.flatMap(({ attribute_id }) => attribute_id ?? []))];
    if (attributeIds.length === 0) return [];
    return { feature: 'export', id, name: `${audience_type} ${audience_id}`, attributeIds };
  });
}

/** Lists the unfinished exports of an account with their audiences, the oldest first. */
export async function exportsUsingAudiences(db: Database, accountId: number): Promise<UseOfAudiences[]> {
  const rows = await exportRuns.listWithJob(db, accountId);
  return rows.map(({ request_id: id, accepted_at, audience_id }) => ({
    feature: 'export',
    id,
    name: accepted_at.toISOString(),
    prevents_deletion: false,
    audienceIds: [audience_id],
  }));
}
