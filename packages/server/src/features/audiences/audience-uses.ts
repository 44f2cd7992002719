import { shownUses, type AudienceUse } from '@roster/contract';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { Feature } from '#platform/feature.ts';
import { filterUsage } from '#features/search/filter/stored-filter.ts';
import { loadSegments } from './segment-store.ts';

/** Something in a feature that uses audiences, such as an unfinished export. */
export interface UseOfAudiences extends AudienceUse {
  readonly audienceIds: readonly number[];
}

declare module '#platform/feature.ts' {
  interface Feature {
    /**
     * Returns what uses lists and segments of an account in this feature, in a stable order.
     *
     * An audience cannot be deleted while a use has `prevents_deletion`. The caller has then locked
     * the account. Your feature must also lock the account before it starts such a use.
     */
    readonly audienceUses?: (db: Database, accountId: number) => Promise<readonly UseOfAudiences[]>;
  }
}

/** The uses of the audiences of an account, by audience id. Unused audiences are absent. */
export type AudienceUses = ReadonlyMap<number, readonly AudienceUse[]>;

/** Loads what uses the audiences of an account: segments in the order of their ids, then features. */
export async function loadAudienceUses(
  { features }: { readonly features: readonly Feature[] },
  db: Database,
  accountId: number,
): Promise<AudienceUses> {
  const uses = new Map<number, AudienceUse[]>();
  const add = (audienceIds: Iterable<number>, use: AudienceUse): void => {
    for (const id of audienceIds) uses.set(id, [...(uses.get(id) ?? []), use]);
  };
  for (const { audience_id: id, name, filter } of await loadSegments(db, accountId)) {
    const { listIds, segmentIds } = filterUsage(filter);
    add(new Set([...listIds, ...segmentIds]), { feature: 'segment', id, name, prevents_deletion: true });
  }
  for (const { audienceUses } of features) {
    for (const { audienceIds, ...use } of (await audienceUses?.(db, accountId)) ?? []) add(new Set(audienceIds), use);
  }
  return uses;
}

/** Returns the fields of an audience that say what uses it. */
export function usesView(uses: readonly AudienceUse[] = []): { uses: AudienceUse[]; use_count: number } {
  return { uses: uses.slice(0, shownUses), use_count: uses.length };
}

/**
 * Throws `conflict` when something that prevents the deletion uses the audience. The caller has
 * locked the account, so that nothing can start to use it.
 */
export async function refuseUsedAudience(
  context: { readonly features: readonly Feature[] },
  trx: Database,
  accountId: number,
  type: 'list' | 'segment',
  audienceId: number,
): Promise<void> {
  const uses = (await loadAudienceUses(context, trx, accountId)).get(audienceId) ?? [];
  const preventing = uses.filter(({ prevents_deletion: prevents }) => prevents);
  if (preventing.length === 0) return;
  const reason = `The ${type} ${audienceId} is in use by ${describeUses(preventing)}. Change or delete what uses it first.`;
  throw new ApiError('conflict', { params: { reason } });
}

/** Lists uses in a message, at most ten of them. */
function describeUses(uses: readonly AudienceUse[]): string {
  const shown = uses.slice(0, 10).map(({ feature, id, name }) => `${feature.replaceAll('_', ' ')} ${id} (${name})`);
  const more = uses.length > 10 ? ` and ${uses.length - 10} more` : '';
  return shown.join(', ') + more;
}
