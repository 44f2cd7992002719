import type { UseOfAttributes } from '#features/attributes/usage/attribute-uses.ts';
import { filterUsage } from '#features/search/filter/stored-filter.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { bulkChangeRuns } from '../store/bulk-change-store.ts';
import { choiceOf } from '../store/stored-selection.ts';

/** Lists the unfinished bulk changes of an account that use attributes, the oldest first. */
export async function bulkChangesUsingAttributes(db: Database, accountId: number): Promise<UseOfAttributes[]> {
  const rows = await bulkChangeRuns.listWithJob(db, accountId);
  return rows.flatMap(({ bulk_change_id: id, action, selection }) => {
    const { filter } = choiceOf(selection);
    const written = action.type === 'set_attribute' ? [action.attribute_id] : [];
    const used = filter === undefined ? undefined : filterUsage(filter);
    const attributeIds = [...written, ...(used?.attributeIds ?? [])];
    const derived = used?.derived === true;
    if (attributeIds.length === 0 && !derived) return [];
    // The requests contain the name of the attribute. A rename would lose the values.
    return { feature: 'bulk_change', id, name: action.type, attributeIds, byName: written.length > 0, derived };
  });
}
