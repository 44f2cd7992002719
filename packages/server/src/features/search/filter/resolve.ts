import { Faults } from '@roster/contract';
import type { Registry, StoredValue } from '#features/registry/registry.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { checkFilter } from './check-filter.ts';
import { conditionsOf, type CheckedFilter, type ResolvedFilter } from './checked-filter.ts';
import { isDay } from './day-conditions.ts';
import { audiencesOf, fromStoredFilter, type StoredFilter } from './stored-filter.ts';

/** How deep segments may be nested: a filter may use a segment that uses a segment, up to this many. */
export const segmentDepth = 5;

/** Most conditions of a search, those of its segments included: more would take the server longer to plan than to run. */
export const totalConditions = 2000;

/** Most plain days of a search, those of its segments included: each costs up to 40 µs, in which nothing else is done. */
const totalDays = 2000;

/**
 * Most characters of all values of a search, those of its segments included: as many as a body can bring. Without a limit, segments would
 * multiply what a body has.
 */
const totalValueLength = 16 * 1024 * 1024;

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
      faults.add('not_found', `The account has no ${type} with this audience_id.`, place);
    } else if (type === 'segment') {
      const { reason } = judge(id, top);
      if (reason !== undefined) faults.add('not_supported', `The segment ${reason}.`, place);
    }
  }
  const size = sum(filters.map((filter) => sizeOf(filter, (id) => judge(id, top).size)));
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
  const needsLists = options.needsLists === true || usesNullOfLists(filters, known);
  return {
    accountId,
    timeZone: options.registry.timeZone,
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

/** What a filter has to evaluate, its segments as often as it names them. */
interface Size {
  readonly conditions: number;
  /** Characters of the values. */
  readonly valueLength: number;
  /** Plain days among the values of conditions on date-times. */
  readonly days: number;
}

interface Judgement {
  /** Why the segment cannot be evaluated; it counts as one condition then. */
  readonly reason?: string;
  readonly size: Size;
}

function unfit(reason: string): Judgement {
  return { reason, size: { conditions: 1, valueLength: 0, days: 0 } };
}

/** Judges segments; each pair of segment and depth once, so that segments that share segments cost no more than their number. */
function createJudge(known: Known, segmentId: number | undefined): (id: number, depth: number) => Judgement {
  const judged = new Map<string, Judgement>();
  const open = new Set<number>(segmentId === undefined ? [] : [segmentId]);
  const judge = (id: number, depth: number): Judgement => {
    if (open.has(id)) return unfit('contains itself');
    if (depth > segmentDepth) return unfit(`contains segments more than ${segmentDepth} levels deep`);
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
    if (filter === undefined) return unfit('uses a field that was deleted or changed its type');
    for (const { type, id } of audiencesOf(filter)) {
      if (type === 'list' ? !known.lists.has(id) : !known.segments.has(id)) {
        return unfit(`uses a ${type} that was deleted`);
      }
      const reason = type === 'segment' ? judge(id, depth + 1).reason : undefined;
      if (reason !== undefined) return unfit(reason);
    }
    return { size: sizeOf(filter, (id) => judge(id, depth + 1).size) };
  };
  return judge;
}

function sizeOf(filter: CheckedFilter, sizeOfSegment: (id: number) => Size): Size {
  return sum(
    conditionsOf(filter).map(({ field, values }) =>
      field.type === 'segment'
        ? sum(Array.from(new Set(values), (id) => sizeOfSegment(Number(id))))
        : {
            conditions: 1,
            valueLength: values.reduce<number>((length, value) => length + lengthOf(value), 0),
            days: field.type === 'datetime' ? values.filter(isDay).length : 0,
          },
    ),
  );
}

/** With a character for the comma between it and the next: many short values cost, too. */
function lengthOf(value: StoredValue): number {
  return 1 + (typeof value === 'string' ? value.length : 8);
}

function sum(sizes: readonly Size[]): Size {
  let [conditions, valueLength, days] = [0, 0, 0];
  for (const size of sizes) {
    conditions += size.conditions;
    valueLength += size.valueLength;
    days += size.days;
  }
  return { conditions, valueLength, days };
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
