import type { List } from '@roster/contract';
import type { ListRow } from './list-store.ts';

/** Converts a list to its form in the operator API. */
export function listView(row: ListRow): List {
  return {
    audience_id: row.audience_id,
    name: row.name,
    audience_type: 'list',
    member_count: row.member_count,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
