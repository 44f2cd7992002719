import type pg from 'pg';
import type { SummaryState } from '#features/accounts/store/summary-state-store.ts';
import { databaseOn } from '#platform/database/connection/database.ts';
import { recomputeSummaries, type RecomputeOptions } from './recompute.ts';
import { mergeSummaries, takeSummaries, type StoredSummary } from './summary-store.ts';

/**
 * Moves the summaries of contacts with a new key, and deletes those of deleted contacts (target
 * null). Call it after the moves of the activities are stored.
 *
 * While the summaries are built, those of some keys are not complete. So the new summaries are
 * computed from the activities. Otherwise the stored ones are merged, because a contact can have a
 * hundred thousand activities.
 */
export async function moveSummaries(
  client: pg.ClientBase,
  { isBuilding }: NonNullable<SummaryState>,
  moves: ReadonlyMap<string, string | null>,
  options: RecomputeOptions,
): Promise<void> {
  const trx = databaseOn(client);
  const taken = await takeSummaries(trx, options.accountId, [...moves.keys()]);
  if (isBuilding) {
    const targets = [...moves.values()].filter((to) => to !== null);
    await recomputeSummaries(trx, { keys: [...new Set(targets)] }, options);
    return;
  }
  let left = taken.flatMap((summary): StoredSummary[] => {
    const key = moves.get(summary.contact_key);
    return key === null || key === undefined ? [] : [{ ...summary, contact_key: key }];
  });
  // A statement can merge only one summary into each key.
  while (left.length > 0) {
    const byKey = new Map(left.map((summary) => [summary.contact_key, summary]));
    await mergeSummaries(trx, [...byKey.values()]);
    left = left.filter((summary) => byKey.get(summary.contact_key) !== summary);
  }
}
