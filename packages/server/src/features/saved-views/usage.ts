import { viewLimits } from '@roster/contract';
import type { UseOfAttributes } from '#features/attributes/usage/attribute-uses.ts';
import { derivedFields } from '#features/registry/derived/derived-fields.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { listViews } from './store.ts';

/**
 * Lists the shared views of an account that name derived attributes. The views of single people are
 * not shown to others. Views do not keep attributes from being deleted.
 */
export async function viewsUsingDerived(db: Database, accountId: number): Promise<UseOfAttributes[]> {
  const shared = await listViews(
    db,
    { accountId, userId: undefined },
    { page: undefined, before: undefined },
    viewLimits.perOwner,
  );
  const names = [...derivedFields.keys()];
  return shared.flatMap(({ view_id: id, name, state }) => {
    const text = JSON.stringify(state);
    if (!names.some((field) => text.includes(field))) return [];
    return [{ feature: 'saved_view' as const, id, name, attributeIds: [], derived: true }];
  });
}
