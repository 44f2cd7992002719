import type { Database } from '#platform/database/connection/database.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { filterUsage, type StoredFilter } from '#features/search/filter/stored-filter.ts';
import { loadSegmentFilters } from './segment-store.ts';

/** Returns the segments that name an audience directly. `filters`: all filters of the account. */
function segmentsNaming(
  filters: ReadonlyMap<number, StoredFilter>,
  type: 'list' | 'segment',
  audienceId: number,
): number[] {
  return [...filters].flatMap(([id, filter]) => {
    const usage = filterUsage(filter);
    return (type === 'list' ? usage.listIds : usage.segmentIds).includes(audienceId) ? id : [];
  });
}

/** Returns the segments that use a segment directly or through others, the closest first. */
export function segmentsUsing(filters: ReadonlyMap<number, StoredFilter>, segmentId: number): number[] {
  const found = new Set<number>([segmentId]);
  // The iteration over a set also visits elements that are added during the iteration.
  for (const id of found) for (const user of segmentsNaming(filters, 'segment', id)) found.add(user);
  found.delete(segmentId);
  return [...found];
}

/**
 * Throws `conflict` when a segment uses the audience. The caller has locked the account, so that no
 * segment can start to use it.
 */
export async function refuseUsedAudience(
  trx: Database,
  accountId: number,
  type: 'list' | 'segment',
  audienceId: number,
): Promise<void> {
  const users = segmentsNaming(await loadSegmentFilters(trx, accountId), type, audienceId);
  if (users.length === 0) return;
  const reason = `The ${type} ${audienceId} is in use by the ${segmentNames(users)}. Change or delete what uses it first.`;
  throw new ApiError('conflict', { params: { reason } });
}

/** Names segments by id in a message, at most twenty of them. */
export function segmentNames(ids: readonly number[]): string {
  const shown = ids.slice(0, 20).join(', ');
  const more = ids.length > 20 ? ` and ${ids.length - 20} more` : '';
  return `${ids.length === 1 ? 'segment' : 'segments'} ${shown}${more}`;
}
