import { shownUses, type AudienceUse, type Permission } from '@roster/contract';
import type { Database } from '#platform/database/connection/database.ts';
import { conflict } from '#platform/errors/api-error.ts';
import type { Feature } from '#platform/feature.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
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
async function loadAudienceUses(
  { features }: { readonly features: readonly Feature[] },
  db: Database,
  accountId: number,
): Promise<AudienceUses> {
  const uses = new Map<number, AudienceUse[]>();
  const add = (audienceIds: Iterable<number>, use: AudienceUse): void => {
    for (const id of audienceIds) {
      const earlier = uses.get(id);
      // Not copied: a list can have 10,000 uses.
      if (earlier === undefined) uses.set(id, [use]);
      else earlier.push(use);
    }
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

/** The fields of an audience that say what uses it. */
export interface UsesView {
  readonly uses: AudienceUse[];
  readonly use_count: number;
}

/** What uses a new audience: nothing. */
export const noUses: UsesView = { uses: [], use_count: 0 };

/**
 * Loads what uses the audiences of an account, and returns a function that shows the uses of one
 * audience to a caller. The number counts all uses, but only uses that the caller may read have
 * their names.
 */
export async function loadUsesView(
  context: { readonly features: readonly Feature[]; readonly db: Database },
  accountId: number,
  actor: Actor,
): Promise<(audienceId: number) => UsesView> {
  const uses = await loadAudienceUses(context, context.db, accountId);
  return (audienceId) => {
    const all = uses.get(audienceId) ?? [];
    return { uses: readableUses(all, actor, accountId).slice(0, shownUses), use_count: all.length };
  };
}

/** The permission that is needed to read the name of a use. */
const permissionOf: Readonly<Record<AudienceUse['feature'], Permission>> = {
  segment: 'segments:read',
  export: 'exports:read',
  export_schedule: 'exports:read',
  event_subscription: 'callbacks:read',
  import: 'imports:read',
};

function readableUses(uses: readonly AudienceUse[], actor: Actor, accountId: number): AudienceUse[] {
  return uses.filter(({ feature }) => actor.can(permissionOf[feature], accountId));
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
  actor: Actor,
): Promise<void> {
  const uses = (await loadAudienceUses(context, trx, accountId)).get(audienceId) ?? [];
  const preventing = uses.filter(({ prevents_deletion: prevents }) => prevents);
  if (preventing.length === 0) return;
  const described = describeUses(readableUses(preventing, actor, accountId), preventing.length);
  throw conflict(`The ${type} ${audienceId} is in use by ${described}. Change or delete what uses it first.`);
}

/** Lists uses in a message, at most ten of them. `count`: with those that the caller may not read. */
function describeUses(uses: readonly AudienceUse[], count: number): string {
  const shown = uses.slice(0, 10).map(({ feature, id, name }) => `${feature.replaceAll('_', ' ')} ${id} (${name})`);
  const others = count - shown.length;
  if (shown.length === 0) return count === 1 ? 'something else' : `${count} other things`;
  return shown.join(', ') + (others > 0 ? ` and ${others} more` : '');
}
