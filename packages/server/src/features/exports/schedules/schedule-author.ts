import { haveDerived } from '#features/registry/derived/derived-fields.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import { hasMaskedConditions, type StoredFilter } from '#features/search/filter/stored-filter.ts';
import { filterRightsOf } from '#features/search/rights/filter-rights.ts';
import { actorOfAuthor } from '#features/users/store/author-actors.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { ScheduleRow } from '../store/schedule-store.ts';

/**
 * Returns why the author of a schedule may not start its export now; undefined if the author may.
 * The author is who made or last changed the schedule.
 *
 * The rights are read before each run and not stored, so every way to lose a right is covered.
 */
export async function refusalOfAuthor(
  trx: Database,
  { now }: Pick<Context, 'now'>,
  { account_id: accountId, author, unmasked, columns, filter }: ScheduleRow,
): Promise<string | undefined> {
  const actor = await actorOfAuthor(trx, author, now());
  const who = author.startsWith('api-key:')
    ? 'The API key that made or last changed this schedule'
    : 'The person who made or last changed this schedule';
  if (actor?.can('export', accountId) !== true) {
    return `${who} may no longer export. Somebody who may export must save the schedule again, or make a new one.`;
  }
  if (unmasked && !actor.can('unmasked', accountId)) {
    return `${who} may no longer export unmasked values. Somebody who may must save the schedule again, or make a new one.`;
  }
  if (haveDerived(columns) && !actor.can('activity:read', accountId)) {
    return `${who} may no longer export derived attributes. Somebody who may must save the schedule again, or make a new one.`;
  }
  if (filter === null) return undefined;
  const registry = await loadRegistry(trx, accountId);
  return hasMaskedConditions(filter as StoredFilter, registry, filterRightsOf(actor, accountId))
    ? `${who} may no longer use its filter. Somebody who may must save the schedule again, or make a new one.`
    : undefined;
}
