import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { plannedRows } from '#platform/database/statements/planned-rows.ts';
import type { ResolvedFilter } from '#features/search/filter/checked-filter.ts';
import { isSentField } from '#features/registry/derived/derived-fields.ts';
import { exportedContacts, type CopySource } from './copy-statement.ts';

/**
 * Estimates the rows of a file: the size of a list, or the planner's estimate for anything else.
 */
export async function estimateRows(
  db: Database,
  { filter, blocklist }: Pick<CopySource, 'filter' | 'blocklist'>,
): Promise<number> {
  const size = listSizeOf(filter);
  if (size !== undefined) return size;
  return (await plannedRows(db, sql`select 1 from contacts where ${exportedContacts(filter, blocklist)}`)) ?? 0;
}

// Looking up the activities of more contacts takes longer than reading those of all contacts.
const fewContacts = 10_000;

/**
 * Returns how the values of derived attributes are found; see `derivedJoin`. Counts the rows up
 * to the limit, because an estimate can be far too low.
 */
export async function wayToDerived(
  db: Database,
  { filter, blocklist, fields }: Pick<CopySource, 'filter' | 'blocklist' | 'fields'>,
): Promise<'each' | 'all'> {
  if (!fields.some(({ derived }) => derived !== undefined && isSentField(derived))) return 'each';
  const { rows } = await sql<{ few: boolean }>`
    select count(*) < ${fewContacts} as few from (
      select 1 from contacts where ${exportedContacts(filter, blocklist)} limit ${fewContacts}
    ) as rows`.execute(db);
  return rows[0]!.few ? 'each' : 'all';
}

/**
 * Returns true if {@link estimateRows} returns an exact number: the size of a list of which nobody
 * is left out.
 */
export function isExactSize({ filter, blocklist }: Pick<CopySource, 'filter' | 'blocklist'>): boolean {
  return blocklist === null && listSizeOf(filter) !== undefined;
}

/** Returns the size of the list that is exported; undefined for anything else. */
function listSizeOf({ filters, listSizes }: ResolvedFilter): number | undefined {
  const [group, ...groups] = filters[0]!.groups;
  const [condition, ...conditions] = group?.conditions ?? [];
  if (
    groups.length > 0 ||
    conditions.length > 0 ||
    condition?.operation !== 'equals' ||
    condition.values.length !== 1
  ) {
    return undefined;
  }
  return condition.field.type === 'list' ? listSizes.get(Number(condition.values[0])) : undefined;
}
