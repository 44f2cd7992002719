import { Faults } from '@roster/contract';
import type { Registry } from '../attributes/registry.ts';
import type { Database } from '../db/database.ts';
import { checkFilter } from './check-filter.ts';
import { conditionsOf, type CheckedFilter, type ResolvedFilter } from './checked-filter.ts';
import { audiencesOf, fromStoredFilter, type StoredFilter } from './stored-filter.ts';

/** How deep segments may be nested: a filter may use a segment that uses a segment, up to this many. */
export const segmentDepth = 5;

/** Most conditions of a search, those of its segments included: more would take the server longer to plan than to run. */
export const totalConditions = 2000;

/** What {@link resolveFilters} needs to know besides the filters. */
export interface ResolveOptions {
  readonly accountId: number;
  readonly registry: Registry;
  /** Given when the filter is to become that of a segment: its number, or null for a new one. It must not come to contain itself. */
  readonly segmentId?: number | null;
  /** Looks up removed lists even if no condition needs them, for the output of `list_id`. */
  readonly needsLists?: boolean;
}

/** A segment of the account, as far as it was looked up. */
interface Segment {
  /** Undefined when its filter does not fit the account any more. */
  readonly filter: CheckedFilter | undefined;
}

/**
 * Finds the lists and segments that filters name, those inside segments too, and answers what can be compiled.
 *
 * Faults: an audience that does not exist in the account (`not_found`); a segment that contains itself, is nested too deep, or uses
 * something that does not exist or fit any more (`not_supported`) — such a condition is never left out. Segments were made by an
 * operator: their conditions on masked attributes need no scope of the caller.
 */
export async function resolveFilters(
  db: Database,
  filters: readonly CheckedFilter[],
  options: ResolveOptions,
  faults: Faults,
): Promise<ResolvedFilter> {
  const { accountId } = options;
  const mentions = filters.flatMap(audiencesOf);
  const known: Known = { lists: new Map(), segments: new Map() };
  let wanted = new Set(mentions.map((mention) => mention.id));
  // One query for each level of nesting. Deeper ones are not read: whatever leads there is a fault.
  for (let depth = 1; depth <= segmentDepth + 1 && wanted.size > 0; depth++) {
    wanted = await loadAudiences(db, wanted, known, options);
  }
  const judge = createJudge(known, options.segmentId ?? undefined);
  const top = options.segmentId === undefined ? 1 : 2;
  for (const { type, id, place } of mentions) {
    if (type === 'list' ? !known.lists.has(id) : !known.segments.has(id)) {
      faults.add('not_found', `the account has no ${type} with this audience_id`, place);
    } else if (type === 'segment') {
      const { reason } = judge(id, top);
      if (reason !== undefined) faults.add('not_supported', `the segment ${reason}`, place);
    }
  }
  const sizes = filters.map((filter) => sizeOf(filter, (id) => judge(id, top).size));
  if (sizes.reduce((sum, size) => sum + size, 0) > totalConditions) {
    faults.add(
      'too_many_items',
      `the filter and its segments have more than ${totalConditions} conditions together`,
      'filtering_criteria',
    );
  }
  const needsLists = options.needsLists === true || usesNullOfLists(filters, known);
  return {
    accountId,
    filters,
    segments: new Map([...known.segments].flatMap(([id, { filter }]) => (filter === undefined ? [] : [[id, filter]]))),
    listSizes: known.lists,
    removedLists: needsLists ? await loadRemovedLists(db, accountId) : [],
  };
}

/** Audiences that were found; an id that was looked up and is in neither does not exist. */
interface Known {
  /** With the number of their members. */
  readonly lists: Map<number, number>;
  readonly segments: Map<number, Segment>;
}

/** Looks audiences up and answers which further ones their filters name. */
async function loadAudiences(
  db: Database,
  wanted: ReadonlySet<number>,
  known: Known,
  { accountId, registry }: ResolveOptions,
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('audiences')
    .where('account_id', '=', accountId)
    .where((eb) => eb('audience_id', '=', eb.fn.any(eb.val([...wanted]))))
    .select(['audience_id', 'audience_type', 'filter', 'member_count'])
    .execute();
  const next = new Set<number>();
  for (const row of rows) {
    if (row.audience_type === 'list') {
      known.lists.set(row.audience_id, row.member_count);
      continue;
    }
    const faults = new Faults(1);
    const filter = checkFilter(
      fromStoredFilter(row.filter as StoredFilter, registry),
      { registry, unmasked: true },
      faults,
    );
    known.segments.set(row.audience_id, { filter: faults.count === 0 ? filter : undefined });
    for (const { id } of audiencesOf(filter)) {
      if (!known.lists.has(id) && !known.segments.has(id)) next.add(id);
    }
  }
  return next;
}

interface Judgement {
  /** Why the segment cannot be evaluated. */
  readonly reason?: string;
  /** Number of conditions, those of its segments included. */
  readonly size: number;
}

/** Judges segments; each pair of segment and depth once, so that segments that share segments cost no more than their number. */
function createJudge(known: Known, segmentId: number | undefined): (id: number, depth: number) => Judgement {
  const judged = new Map<string, Judgement>();
  const open = new Set<number>(segmentId === undefined ? [] : [segmentId]);
  const judge = (id: number, depth: number): Judgement => {
    if (open.has(id)) return { reason: 'contains itself', size: 1 };
    if (depth > segmentDepth) return { reason: `is nested more than ${segmentDepth} deep`, size: 1 };
    const key = `${id}/${depth}`;
    const before = judged.get(key);
    if (before !== undefined) return before;
    open.add(id);
    const judgement = judgeFilter(known.segments.get(id)?.filter, depth);
    open.delete(id);
    judged.set(key, judgement);
    return judgement;
  };
  const judgeFilter = (filter: CheckedFilter | undefined, depth: number): Judgement => {
    if (filter === undefined) return { reason: 'uses a field that does not exist or fit any more', size: 1 };
    for (const { type, id } of audiencesOf(filter)) {
      if (type === 'list' ? !known.lists.has(id) : !known.segments.has(id)) {
        return { reason: `uses a ${type} that does not exist any more`, size: 1 };
      }
      const reason = type === 'segment' ? judge(id, depth + 1).reason : undefined;
      if (reason !== undefined) return { reason, size: 1 };
    }
    return { size: sizeOf(filter, (id) => judge(id, depth + 1).size) };
  };
  return judge;
}

function sizeOf(filter: CheckedFilter, sizeOfSegment: (id: number) => number): number {
  return conditionsOf(filter).reduce(
    (sum, { field, values }) =>
      sum + (field.type === 'segment' ? values.reduce<number>((all, id) => all + sizeOfSegment(Number(id)), 0) : 1),
    0,
  );
}

function usesNullOfLists(filters: readonly CheckedFilter[], known: Known): boolean {
  const all = [...filters, ...[...known.segments.values()].flatMap(({ filter }) => filter ?? [])];
  return all.some((filter) =>
    conditionsOf(filter).some(
      ({ field, operation }) => field.type === 'list' && (operation === 'is_null' || operation === 'is_not_null'),
    ),
  );
}

/** Lists whose members are still being taken out in the background. */
async function loadRemovedLists(db: Database, accountId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('sweeps')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'list')
    .select('target_id')
    .execute();
  return rows.map((row) => row.target_id);
}
