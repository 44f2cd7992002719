import { filterUsage, type StoredFilter } from '#features/search/filter/stored-filter.ts';

/**
 * Returns the segments that use a segment directly or through others, the closest first. `filters`:
 * all filters of the account.
 */
export function segmentsUsing(filters: ReadonlyMap<number, StoredFilter>, segmentId: number): number[] {
  const naming = new Map<number, number[]>();
  for (const [id, filter] of filters) {
    for (const named of filterUsage(filter).segmentIds) {
      const earlier = naming.get(named);
      if (earlier === undefined) naming.set(named, [id]);
      else earlier.push(id);
    }
  }
  const found = new Set<number>([segmentId]);
  // The iteration over a set also visits elements that are added during the iteration.
  for (const id of found) for (const user of naming.get(id) ?? []) found.add(user);
  found.delete(segmentId);
  return [...found];
}

/** Names segments by id in a message, at most twenty of them. */
export function segmentNames(ids: readonly number[]): string {
  const shown = ids.slice(0, 20).join(', ');
  const more = ids.length > 20 ? ` and ${ids.length - 20} more` : '';
  return `${ids.length === 1 ? 'segment' : 'segments'} ${shown}${more}`;
}
