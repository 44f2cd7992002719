import { bulkChangeLimits } from '@roster/contract';
import { resolveStoredChoice } from '#features/search/search.ts';
import type { ResolvedFilter } from '#features/search/filter/checked-filter.ts';
import type { Context } from '#platform/context.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { LongRun } from '#platform/long-runs/long-runs.ts';
import { bulkChangeRuns, type BulkChangeRow } from '../store/bulk-change-store.ts';
import { storeMatches } from '../store/chunk-store.ts';
import { chunkSizeOf } from './chunk-requests.ts';
import { choiceOf } from '../store/stored-selection.ts';
import { isExpected } from './expected-count.ts';
import { BulkChangeFailure } from './bulk-change-failure.ts';

/**
 * Chooses the contacts of a bulk change and stores their numbers, in one transaction. So every run
 * changes the same contacts, also if the change itself makes them match no longer.
 *
 * Throws a {@link BulkChangeFailure} when the number of contacts is no longer the expected one.
 */
export async function chooseContacts(
  { db, now }: Pick<Context, 'db' | 'now'>,
  row: BulkChangeRow,
  run: LongRun,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const filter = await resolve({ searchDb: trx, now }, row);
    const total = await storeMatches(trx, run, filter, chunkSizeOf(row.action));
    const tooMany = row.action.type === 'erase' && total > bulkChangeLimits.erasures;
    if (tooMany || !isExpected(row.action, row.expected_count, total)) throw new BulkChangeFailure('count_changed');
    await bulkChangeRuns.note(trx, run, { total });
  });
}

async function resolve(ctx: Pick<Context, 'searchDb' | 'now'>, row: BulkChangeRow): Promise<ResolvedFilter> {
  try {
    return await resolveStoredChoice(ctx, row.account_id, choiceOf(row.selection));
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_request') throw error;
    throw new BulkChangeFailure('filter_invalid', { cause: error });
  }
}
