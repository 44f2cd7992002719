import type { List } from '@roster/contract';
import { noUses, type UsesView } from './audience-uses.ts';
import type { ListRow } from './list-store.ts';

/** Converts a list to its form in the operator API. `uses`: what uses it; absent for a new list. */
export function listView(row: ListRow, uses: UsesView = noUses): List {
  return {
    audience_id: row.audience_id,
    name: row.name,
    audience_type: 'list',
    member_count: row.member_count,
    ...uses,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
