import { findSummaryState } from '#features/accounts/store/summary-state-store.ts';
import type { Registry } from '#features/registry/registry.ts';
import { conditionsOf, type ResolvedFilter } from '#features/search/filter/checked-filter.ts';
import { filterDefinition, filterInputs, type FilterInputs } from '#features/search/inputs/filter-inputs.ts';
import { allFilterRights } from '#features/search/rights/filter-rights.ts';
import { resolveAudience } from '#features/search/search.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { updateLiveSegment, type LiveSegmentRow } from './live-segment-store.ts';

/** A live segment whose contacts can be evaluated. */
export interface FollowedSegment {
  readonly row: LiveSegmentRow;
  readonly filter: ResolvedFilter;
  readonly inputs: FilterInputs;
  /** Number of conditions, also in other segments. */
  readonly conditions: number;
}

/**
 * Resolves the filter of a live segment at a moment.
 *
 * If its definition changed, stores the new one with its inputs, so that the segment is filled again.
 * Returns undefined if its contacts cannot be evaluated now. The caller has locked the account.
 */
export async function resolveSegment(
  trx: Database,
  row: LiveSegmentRow,
  registry: Registry,
  now: Date,
): Promise<FollowedSegment | undefined> {
  const filter = await resolve(trx, row, registry, momentOf(row, now));
  if (filter === undefined) {
    if (row.state !== 'broken') await updateLiveSegment(trx, row, { state: 'broken', definition: null });
    return undefined;
  }
  const inputs = filterInputs(filter);
  const all = [...filter.filters, ...filter.segments.values()].flatMap(conditionsOf);
  const usesSummaries = all.some(({ field }) => field.derived !== undefined);
  const summaries = usesSummaries ? await findSummaryState(trx, row.account_id) : undefined;
  const definition = filterDefinition(filter, summaries);
  if (definition !== row.definition) {
    await updateLiveSegment(trx, row, { state: 'waiting', definition, inputs: [...inputs.contact], filled_at: null });
    return undefined;
  }
  if (row.state !== 'filling' && row.state !== 'following') return undefined;
  return { row, filter, inputs, conditions: all.length };
}

/**
 * Returns the moment at which a segment is evaluated. The clock of this process can be behind the one
 * that evaluated the segment before.
 */
export function momentOf({ clock_at: clockAt, pass_to: passTo }: LiveSegmentRow, now: Date): Date {
  return new Date(Math.max(now.getTime(), clockAt.getTime(), passTo?.getTime() ?? 0));
}

async function resolve(
  trx: Database,
  { account_id: accountId, audience_id: audienceId }: LiveSegmentRow,
  registry: Registry,
  moment: Date,
): Promise<ResolvedFilter | undefined> {
  const scope = { accountId, registry, ...allFilterRights };
  try {
    return await resolveAudience({ searchDb: trx, now: () => moment }, scope, {
      audience_type: 'segment',
      audience_id: [audienceId],
    });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_request') return undefined;
    throw error;
  }
}
