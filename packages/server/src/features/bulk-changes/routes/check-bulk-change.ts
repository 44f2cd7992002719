import type { CreateBulkChangeBody, Faults, PartlyRead } from '@roster/contract';
import { loadRegistry } from '#features/registry/registry.ts';
import { isRestricted } from '#features/search/filter/compile.ts';
import type { ResolvedFilter } from '#features/search/filter/checked-filter.ts';
import type { FilterRights } from '#features/search/rights/filter-rights.ts';
import { toStoredFilter } from '#features/search/filter/stored-filter.ts';
import { checkSearch, type Audience } from '#features/search/search.ts';
import type { Context } from '#platform/context.ts';
import type { StoredAction, StoredSelection } from '#platform/database/schema/tables/bulk-changes.ts';
import { checkAction } from './check-action.ts';

/** A bulk change that was checked against its account. */
export interface CheckedBulkChange {
  readonly action: StoredAction;
  readonly selection: StoredSelection;
  /** The contacts to change; undefined when the request names them by `contact_ids`. */
  readonly filter: ResolvedFilter | undefined;
}

/**
 * Checks a bulk change against its account. Adds all faults; use the result only if there are none.
 * `rights`: what the caller may use in the filter.
 */
export async function checkBulkChange(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { accountId, rights }: { readonly accountId: number; readonly rights: FilterRights },
  body: PartlyRead<CreateBulkChangeBody>,
  faults: Faults,
): Promise<CheckedBulkChange> {
  const {
    filtering_criteria_operator,
    filtering_criteria,
    contact_ids: contactIds,
    all_contacts: isAll = false,
  } = body;
  const registry = await loadRegistry(db, accountId);
  const action = await checkAction(db, accountId, registry, body.action ?? {}, faults);
  const namesAudience = 'audience_type' in body || 'audience_id' in body;
  const audience = namesAudience
    ? {
        ...('audience_type' in body && { audience_type: body.audience_type }),
        ...('audience_id' in body && { audience_id: body.audience_id }),
      }
    : undefined;
  const given = {
    ...(filtering_criteria_operator !== undefined && { filtering_criteria_operator }),
    ...(filtering_criteria !== undefined && { filtering_criteria }),
  };
  const { filter } = await checkSearch(
    { searchDb: db, now },
    { accountId, registry, ...rights },
    given,
    audience,
    faults,
  );
  if (contactIds !== undefined) {
    if (namesAudience || isRestricted(filter)) {
      faults.add('not_allowed', 'cannot be combined with a filter or an audience', 'contact_ids');
    }
    if (isAll) faults.add('not_allowed', 'cannot be combined with contact_ids', 'all_contacts');
    return { action, selection: { by: 'contact_ids' }, filter: undefined };
  }
  const isChosen = namesAudience || isRestricted(filter);
  if (isChosen && isAll) faults.add('not_allowed', 'cannot be combined with a filter or an audience', 'all_contacts');
  if (!isChosen && !isAll) {
    const advice = 'Without a filter, an audience or contact_ids, it must be true to change all contacts';
    faults.add('required', `is required. ${advice}`, 'all_contacts');
  }
  if (isAll) return { action, selection: { by: 'all' }, filter };
  const own = filter.filters.at(-1)!;
  const selection: StoredSelection = {
    by: 'filter',
    ...(audience !== undefined && { audience: audience as Audience }),
    ...(own.groups.length > 0 && { filter: toStoredFilter(own) }),
  };
  return { action, selection, filter };
}
