import { haveDerived } from '#features/registry/derived/derived-fields.ts';
import type { Registry } from '#features/registry/registry.ts';
import { hasMaskedConditions, type StoredFilter } from '#features/search/filter/stored-filter.ts';
import type { FilterRights } from '#features/search/rights/filter-rights.ts';
import type { SubscriptionRow } from '../store/subscription-store.ts';

/** A part of a subscription that not everybody may use. */
export type GuardedPart = 'unmasked' | 'fields' | 'filter';

/**
 * Returns the parts of a subscription that somebody with these rights may not use: unmasked values,
 * fields that are derived attributes, and a filter on masked fields or on activities.
 */
export function partsWithoutRights(
  { unmasked, columns, filter }: Partial<Pick<SubscriptionRow, 'unmasked' | 'columns' | 'filter'>>,
  registry: Registry,
  rights: FilterRights,
): GuardedPart[] {
  const stored = (filter ?? null) as StoredFilter | null;
  return [
    ...(unmasked === true && !rights.unmasked ? ['unmasked' as const] : []),
    ...(columns !== undefined && haveDerived(columns) && !rights.activities ? ['fields' as const] : []),
    ...(stored !== null && hasMaskedConditions(stored, registry, rights) ? ['filter' as const] : []),
  ];
}
