import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { ResolvedFilter } from '#features/search/filter/checked-filter.ts';
import { exportedContacts, type CopySource } from './copy-statement.ts';

/** How many rows a file is expected to have: the members of a list, or what the server expects of a segment. Never less than none. */
export async function estimateRows(
  db: Database,
  { filter, blocklist }: Pick<CopySource, 'filter' | 'blocklist'>,
): Promise<number> {
  const members = membersOf(filter);
  if (members !== undefined) return members;
  const { rows } = await sql<{ 'QUERY PLAN': readonly { Plan?: { 'Plan Rows'?: number } }[] }>`
    explain (format json) select from contacts where ${exportedContacts(filter, blocklist)}`.execute(db);
  return rows[0]?.['QUERY PLAN'][0]?.Plan?.['Plan Rows'] ?? 0;
}

/** The members of the list that is the audience; undefined for a segment. */
function membersOf({ filters, listSizes }: ResolvedFilter): number | undefined {
  const [condition] = filters[0]!.groups[0]!.conditions;
  return condition?.field.type === 'list' ? listSizes.get(Number(condition.values[0])) : undefined;
}
