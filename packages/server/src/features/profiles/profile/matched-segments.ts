import { Faults } from '@roster/contract';
import { sql, type SqlBool } from 'kysely';
import { loadSegmentNames, type SegmentName } from '#features/audiences/segment-store.ts';
import type { Registry } from '#features/registry/registry.ts';
import { compileConditions } from '#features/search/filter/compile.ts';
import type { CheckedFilter } from '#features/search/filter/checked-filter.ts';
import { fixedField } from '#features/search/filter/fields.ts';
import { resolveFilters } from '#features/search/filter/resolve.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { opaqueAccount } from '#platform/database/statements/opaque-account.ts';

/** The segments of an account, as they apply to one contact. */
export interface MatchedSegments {
  readonly matched: readonly SegmentName[];
  /** The segments that cannot be evaluated, because they use something that was deleted. */
  readonly unusable: readonly SegmentName[];
}

// PostgreSQL plans a statement with this many segments in some milliseconds.
const segmentsPerStatement = 100;

/**
 * Finds the segments that a contact matches. Evaluates a hundred segments in one statement, which
 * reads one row. The conditions are in the select list, so the planner does not look for indexes.
 *
 * An account can have segments that take many seconds together, so run it like a search.
 */
export async function matchedSegments(db: Database, contact: OneContact): Promise<MatchedSegments> {
  const all = await loadSegmentNames(db, contact.accountId);
  const [matched, unusable]: [SegmentName[], SegmentName[]] = [[], []];
  for (let from = 0; from < all.length; from += segmentsPerStatement) {
    const some = all.slice(from, from + segmentsPerStatement);
    const matches = await evaluate(
      db,
      contact,
      some.map(({ audience_id }) => audience_id),
    );
    for (const segment of some) {
      const match = matches.get(segment.audience_id);
      if (match === undefined) unusable.push(segment);
      else if (match) matched.push(segment);
    }
  }
  return { matched, unusable };
}

interface OneContact {
  readonly accountId: number;
  readonly registry: Registry;
  readonly contactId: number;
  /** The moment to which relative dates are relative. */
  readonly now: Date;
}

/**
 * Returns whether the contact matches each segment. Leaves out unusable segments. Segments that are
 * too large to be evaluated together are evaluated in halves.
 */
async function evaluate(db: Database, contact: OneContact, ids: readonly number[]): Promise<Map<number, boolean>> {
  const { accountId, registry, contactId, now } = contact;
  const faults = new Faults(ids.length + 10);
  const filters = ids.map((id) => segmentFilter(registry, id));
  const resolved = await resolveFilters(db, filters, { accountId, registry, now }, faults);
  const faulty = new Set(faults.list.map(({ field }) => field));
  if (faults.list.some(({ code }) => code === 'too_many_items')) {
    if (ids.length === 1) return new Map();
    const middle = ids.length >> 1;
    const first = await evaluate(db, contact, ids.slice(0, middle));
    return new Map([...first, ...(await evaluate(db, contact, ids.slice(middle)))]);
  }
  const usable = ids.flatMap((id, at) => (faulty.has(`${placeOf(id)}[0]`) ? [] : [{ id, filter: filters[at]! }]));
  if (usable.length === 0) return new Map();
  const conditions = usable.map(({ filter }) => {
    const [condition] = compileConditions({ ...resolved, filters: [filter] });
    return sql<SqlBool>`coalesce(${condition!}, false)`;
  });
  const { rows } = await sql<{ matches: boolean[] }>`
    select array[${sql.join(conditions)}] as matches from contacts
    where contacts.account_id = ${opaqueAccount(accountId)} and contacts.contact_id = ${contactId}`.execute(db);
  const matches = rows[0]?.matches ?? [];
  return new Map(usable.map(({ id }, at) => [id, matches[at] ?? false]));
}

/** Makes the filter "is in the segment". Its faults have the place of the segment. */
function segmentFilter(registry: Registry, id: number): CheckedFilter {
  const field = fixedField(registry, 'segment_id');
  const condition = { field, operation: 'equals', values: [id], place: placeOf(id) } as const;
  return { connective: 'and', groups: [{ connective: 'and', conditions: [condition] }] };
}

function placeOf(id: number): string {
  return `segment:${id}`;
}
