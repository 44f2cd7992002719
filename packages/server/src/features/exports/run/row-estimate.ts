import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { ResolvedFilter } from '#features/search/filter/checked-filter.ts';
import { exportedContacts, type CopySource } from './copy-statement.ts';

/** Estimates the rows of a file: the size of a list, or the planner's estimate for a segment. */
export async function estimateRows(
  db: Database,
  { filter, blocklist }: Pick<CopySource, 'filter' | 'blocklist'>,
): Promise<number> {
  const size = listSizeOf(filter);
  if (size !== undefined) return size;
  const { rows } = await sql<{ 'QUERY PLAN': readonly { Plan?: { 'Plan Rows'?: number } }[] }>`
    explain (format json) select from contacts where ${exportedContacts(filter, blocklist)}`.execute(db);
  return rows[0]?.['QUERY PLAN'][0]?.Plan?.['Plan Rows'] ?? 0;
}

/** Returns the size of the list that is exported; undefined for a segment. */
function listSizeOf({ filters, listSizes }: ResolvedFilter): number | undefined {
  const [condition] = filters[0]!.groups[0]!.conditions;
  return condition?.field.type === 'list' ? listSizes.get(Number(condition.values[0])) : undefined;
}
