import { Faults, type PauseReason } from '@roster/contract';
import { loadRegistry } from '#features/registry/registry.ts';
import { checkFilter } from '#features/search/filter/check-filter.ts';
import type { ResolvedFilter } from '#features/search/filter/checked-filter.ts';
import { resolveFilters } from '#features/search/filter/resolve.ts';
import { fromStoredFilter, type StoredFilter } from '#features/search/filter/stored-filter.ts';
import { allFilterRights, filterRightsOf } from '#features/search/rights/filter-rights.ts';
import type { OutputField } from '#features/search/page/checked-output.ts';
import { actorOfAuthor } from '#features/users/store/author-actors.ts';
import type { Context } from '#platform/context.ts';
import { fieldsOfColumns } from '../rules/contact-fields.ts';
import { partsWithoutRights } from '../rules/rights-needed.ts';
import type { SubscriptionRow } from '../store/subscription-store.ts';

/** What to read of the contacts of events. */
export interface ContactSettings {
  /** Matches every contact of the account when the subscription has no filter. */
  readonly filter: ResolvedFilter;
  /** True: events of contacts that do not match are left out. */
  readonly isFiltered: boolean;
  readonly fields: readonly OutputField[];
  readonly unmasked: boolean;
}

/** What to send to a subscription now, by the present attributes, audiences and rights. */
export interface SendSettings {
  /** Undefined: events are sent as they are, and no contact is read. */
  readonly contacts: ContactSettings | undefined;
}

/** Why nothing may be sent to a subscription now. */
export interface Refusal {
  readonly reason: PauseReason;
  readonly detail: string | null;
}

/**
 * Loads what to send to a subscription. The rights of its author are read again and not stored, so
 * every way to lose a right is covered.
 */
export async function loadSettings(
  { db, now }: Pick<Context, 'db' | 'now'>,
  row: SubscriptionRow,
): Promise<SendSettings | Refusal> {
  const { account_id: accountId, unmasked } = row;
  const actor = await actorOfAuthor(db, row.author, now());
  if (actor?.can('callbacks:write', accountId) !== true) return { reason: 'author_rights', detail: null };
  if (!unmasked && row.filter === null && row.columns.length === 0) return { contacts: undefined };
  const at = now();
  const registry = { ...(await loadRegistry(db, accountId)), now: at };
  if (partsWithoutRights(row, registry, filterRightsOf(actor, accountId)).length > 0) {
    return { reason: 'author_rights', detail: null };
  }
  if (row.filter === null && row.columns.length === 0) return { contacts: undefined };
  const fields = fieldsOfColumns(row.columns, registry);
  if (typeof fields === 'string') return { reason: 'filter_invalid', detail: fields };
  const stored = row.filter as StoredFilter | null;
  const faults = new Faults();
  const given = stored === null ? {} : fromStoredFilter(stored, registry);
  // What the author may filter by was checked just now.
  const checked = checkFilter(given, { registry, ...allFilterRights }, faults);
  const needsLists = fields.some(({ field }) => field.type === 'list');
  const filter = await resolveFilters(db, [checked], { accountId, registry, now: at, needsLists }, faults);
  const [fault] = faults.list;
  if (fault !== undefined) return { reason: 'filter_invalid', detail: `The filter: ${fault.message}.` };
  return { contacts: { filter, isFiltered: stored !== null, fields, unmasked } };
}
