import { Faults } from '@roster/contract';
import type { Selectable } from 'kysely';
import type { Registry, StoredValue } from '#features/registry/registry.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { oldestMonth, startOfMonth } from '#platform/time/month.ts';
import { allFilterRights } from '../rights/filter-rights.ts';
import { checkFilter } from './check-filter.ts';
import {
  conditionsOf,
  readsActivities,
  type CheckedFilter,
  type Condition,
  type ResolvedFilter,
} from './checked-filter.ts';
import { audiencesOf, fromStoredFilter, type StoredFilter } from './stored-filter.ts';
import { isRelative } from './time/relative-dates.ts';
import { isDay } from './time/time-conditions.ts';

/** Maximum depth of nested segments (a segment that uses a segment, and so on). */
export const segmentDepth = 5;

/**
 * Maximum number of conditions of a search, including those in its segments.
 * With more conditions, PostgreSQL would take longer to plan a search than to run it.
 */
export const totalConditions = 2000;

/**
 * Maximum number of conditions of a search that read activities, including those in its segments.
 * Each can read the activities of some months.
 */
export const totalActivityConditions = 20;

/**
 * Maximum number of plain days and relative dates of a search, including those in its segments.
 * Each takes up to 40 µs to convert, and blocks the event loop for that time.
 */
const totalDays = 2000;

/**
 * Maximum number of characters of all values of a search, including those in its segments. The
 * limit is that of a body. Without it, a small request could use a large segment many times.
 */
const totalValueLength = 16 * 1024 * 1024;

/** Options of {@link resolveFilters}. */
export interface ResolveOptions {
  readonly accountId: number;
  readonly registry: Registry;
  /** The moment to which relative dates are relative. */
  readonly now: Date;
  /**
   * The segment that the filter is for. It must not contain itself. Null for a new segment, absent
   * for a filter that is not stored.
   */
  readonly segmentId?: number | null;
  /** Loads removed lists even if no condition needs them, for the output of `list_id`. */
  readonly needsLists?: boolean;
  /** Audiences that were loaded before. Default: none. */
  readonly loaded?: LoadedAudiences | undefined;
}

/** An audience, with the columns that a search needs. */
export type AudienceRow = Pick<
  Selectable<Tables['audiences']>,
  'audience_id' | 'audience_type' | 'filter' | 'member_count'
>;

/** Audiences of an account that were loaded at one moment. */
export interface LoadedAudiences {
  /** The ids that were looked up. Those without a row do not exist. */
  readonly ids: ReadonlySet<number>;
  readonly rows: readonly AudienceRow[];
}

/** A segment that was loaded. */
interface Segment {
  /** Undefined when the filter no longer fits the attributes of the account. */
  readonly filter: CheckedFilter | undefined;
  /** The filter uses derived attributes, which the account does not have now. */
  readonly lacksDerived: boolean;
}

/**
 * Loads the lists and segments that filters name, also inside segments, so that the filters can
 * be compiled. Adds these faults:
 * - `not_found`: the account does not have an audience.
 * - `not_supported`: a segment contains itself, is nested too deep, or uses something that was
 *   deleted or no longer fits. Such a condition is never dropped.
 * - `too_many_items`: the search is too large together with its segments.
 *
 * A segment may use masked and derived attributes, whatever the scopes of the caller are, because
 * only operators create segments.
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
  // One query for each level. Deeper levels are not loaded, because they are a fault in any case.
  for (let depth = 1; depth <= segmentDepth + 1 && wanted.size > 0; depth++) {
    wanted = await loadAudiences(db, wanted, known, options);
  }
  const checkSegment = createSegmentChecker(known, options.segmentId ?? undefined);
  const top = options.segmentId === undefined ? 1 : 2;
  for (const { type, id, place } of mentions) {
    if (type === 'list' ? !known.lists.has(id) : !known.segments.has(id)) {
      faults.add('not_found', `The account has no ${type} with this audience_id.`, place);
    } else if (type === 'segment') {
      const { reason } = checkSegment(id, top);
      if (reason !== undefined) faults.add('not_supported', `The segment ${reason}.`, place);
    }
  }
  const size = sum(filters.map((filter) => sizeOf(filter, (id) => checkSegment(id, top).size)));
  const together = 'The filter and its segments have more than';
  if (size.conditions > totalConditions) {
    faults.add('too_many_items', `${together} ${totalConditions} conditions together.`, 'filtering_criteria');
  }
  if (size.days > totalDays) {
    faults.add('too_many_items', `${together} ${totalDays} plain days together.`, 'filtering_criteria');
  }
  if (size.valueLength > totalValueLength) {
    faults.add('too_many_items', `${together} 16 MiB of values together.`, 'filtering_criteria');
  }
  if (size.activities > totalActivityConditions) {
    const message = `${together} ${totalActivityConditions} conditions on activities together.`;
    faults.add('too_many_items', message, 'filtering_criteria');
  }
  const needsLists = options.needsLists === true || usesNullOfLists(filters, known);
  return {
    accountId,
    clock: { now: options.now.getTime(), timeZone: options.registry.timeZone },
    filters,
    segments: new Map([...known.segments].flatMap(([id, { filter }]) => (filter === undefined ? [] : [[id, filter]]))),
    listSizes: known.lists,
    oldestActivity: oldestActivity(options.registry, options.now),
    hasMoves: true,
    removedLists: needsLists ? await loadRemovedLists(db, accountId) : [],
  };
}

/** The audiences that were found. */
interface Known {
  /** The number of members of each list. */
  readonly lists: Map<number, number>;
  readonly segments: Map<number, Segment>;
}

/** Loads audiences. Returns the further audiences that their filters name. */
async function loadAudiences(
  db: Database,
  wanted: ReadonlySet<number>,
  known: Known,
  { accountId, registry, now, loaded }: ResolveOptions,
): Promise<Set<number>> {
  const missing = [...wanted].filter((id) => loaded?.ids.has(id) !== true);
  const rows = [
    ...(loaded?.rows ?? []).filter((row) => wanted.has(row.audience_id)),
    ...(missing.length === 0 ? [] : await readAudiences(db, accountId, missing)),
  ];
  const next = new Set<number>();
  for (const row of rows) {
    if (row.audience_type === 'list') {
      known.lists.set(row.audience_id, row.member_count);
      continue;
    }
    const faults = new Faults(1);
    const filter = checkFilter(
      fromStoredFilter(row.filter as StoredFilter, registry),
      { registry: { ...registry, now }, ...allFilterRights },
      faults,
    );
    known.segments.set(row.audience_id, {
      filter: faults.count === 0 ? filter : undefined,
      lacksDerived: conditionsOf(filter).some(
        ({ field: { derived } }) => derived !== undefined && registry.derived !== 'ready',
      ),
    });
    for (const { id } of audiencesOf(filter)) {
      if (!known.lists.has(id) && !known.segments.has(id)) next.add(id);
    }
  }
  return next;
}

async function readAudiences(db: Database, accountId: number, ids: readonly number[]): Promise<AudienceRow[]> {
  return db
    .selectFrom('audiences')
    .where('account_id', '=', accountId)
    .where((eb) => eb('audience_id', '=', eb.fn.any(eb.val(ids))))
    .select(['audience_id', 'audience_type', 'filter', 'member_count'])
    .execute();
}

/** The size of a filter. A segment counts each time that it is named. */
interface Size {
  readonly conditions: number;
  /** Total number of characters of the values. */
  readonly valueLength: number;
  /** Number of plain days and relative dates in conditions on dates and date-times. */
  readonly days: number;
  /** Number of conditions that read activities. */
  readonly activities: number;
}

interface SegmentCheck {
  /** Why the segment cannot be used. Then its size is one condition. */
  readonly reason?: string;
  readonly size: Size;
}

function unfit(reason: string): SegmentCheck {
  return { reason, size: { conditions: 1, valueLength: 0, days: 0, activities: 0 } };
}

/**
 * Makes a function that checks segments. It checks each pair of segment and depth only once, so
 * that segments that are used in many places do not cost more.
 */
function createSegmentChecker(
  known: Known,
  segmentId: number | undefined,
): (id: number, depth: number) => SegmentCheck {
  const checked = new Map<string, SegmentCheck>();
  const open = new Set<number>(segmentId === undefined ? [] : [segmentId]);
  const checkSegment = (id: number, depth: number): SegmentCheck => {
    if (open.has(id)) return unfit('contains itself');
    if (depth > segmentDepth) return unfit(`contains segments more than ${segmentDepth} levels deep`);
    const key = `${id}/${depth}`;
    const before = checked.get(key);
    if (before !== undefined) return before;
    open.add(id);
    const check = checkSegmentFilter(known.segments.get(id), depth);
    open.delete(id);
    checked.set(key, check);
    return check;
  };
  const checkSegmentFilter = (segment: Segment | undefined, depth: number): SegmentCheck => {
    if (segment?.lacksDerived === true) return unfit('uses derived attributes that the account does not have now');
    const filter = segment?.filter;
    if (filter === undefined) return unfit('uses a field that was deleted or changed its type');
    for (const { type, id } of audiencesOf(filter)) {
      if (type === 'list' ? !known.lists.has(id) : !known.segments.has(id)) {
        return unfit(`uses a ${type} that was deleted`);
      }
      const reason = type === 'segment' ? checkSegment(id, depth + 1).reason : undefined;
      if (reason !== undefined) return unfit(reason);
    }
    return { size: sizeOf(filter, (id) => checkSegment(id, depth + 1).size) };
  };
  return checkSegment;
}

function sizeOf(filter: CheckedFilter, sizeOfSegment: (id: number) => Size): Size {
  return sum(
    conditionsOf(filter).map((condition) =>
      condition.field.type === 'segment'
        ? sum(Array.from(new Set(condition.values), (id) => sizeOfSegment(Number(id))))
        : sizeOfCondition(condition),
    ),
  );
}

function sizeOfCondition(condition: Condition): Size {
  const { field, values, selection } = condition;
  const times = field.type === 'date' || field.type === 'datetime' ? values : (selection?.when?.value ?? []);
  const own = [selection?.message_id, selection?.message_name, selection?.when?.value];
  const all = [...values, ...own.flatMap((part) => part ?? [])];
  return {
    conditions: 1,
    valueLength: all.reduce<number>((length, value) => length + lengthOf(value), 0),
    days: times.filter((value) => isDay(value) || isRelative(value)).length,
    activities: readsActivities(condition) ? 1 : 0,
  };
}

/** Adds one character for the separator, so that many short values count, too. */
function lengthOf(value: StoredValue): number {
  return 1 + (typeof value === 'string' ? value.length : 8);
}

function sum(sizes: readonly Size[]): Size {
  let [conditions, valueLength, days, activities] = [0, 0, 0, 0];
  for (const size of sizes) {
    conditions += size.conditions;
    valueLength += size.valueLength;
    days += size.days;
    activities += size.activities;
  }
  return { conditions, valueLength, days, activities };
}

function usesNullOfLists(filters: readonly CheckedFilter[], known: Known): boolean {
  const all = [...filters, ...[...known.segments.values()].flatMap(({ filter }) => filter ?? [])];
  return all.some((filter) =>
    conditionsOf(filter).some(
      ({ field, operation }) => field.type === 'list' && (operation === 'is_null' || operation === 'is_not_null'),
    ),
  );
}

/** Loads the deleted lists that a sweep still has to remove from contacts. */
async function loadRemovedLists(db: Database, accountId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('sweeps')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'list')
    .select('target_id')
    .execute();
  return rows.map((row) => row.target_id);
}

/** Returns the moment (milliseconds since 1970) before which an account keeps no activities. */
export function oldestActivity({ activityMonths }: Registry, now: Date): number {
  return Date.parse(startOfMonth(oldestMonth(now.getTime(), activityMonths)));
}
