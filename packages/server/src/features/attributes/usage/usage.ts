import type { AttributeUse } from '@roster/contract';
import type { AccountRow } from '#features/accounts/store/account-store.ts';
import { loadSegments, type SegmentRow } from '#features/audiences/segment-store.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Feature } from '#platform/feature.ts';
import { filterUsage } from '#features/search/filter/stored-filter.ts';
import type { AttributeRow } from '#features/registry/attribute-store.ts';
import type { UseOfAttributes } from './attribute-uses.ts';

/** Everything in an account that can use attributes. */
export interface UsageScope {
  readonly account: Pick<AccountRow, 'account_id' | 'name' | 'primary_key'>;
  /** All attributes of the account. */
  readonly rows: readonly AttributeRow[];
  readonly segments: readonly SegmentRow[];
  /** The uses in other features, in the order of the features. */
  readonly others: readonly UseOfAttributes[];
}

/**
 * Loads everything that can use the attributes of an account.
 *
 * To rely on the result for a change, lock the account first. Then nothing can start to use an
 * attribute during the change.
 */
export async function loadUsageScope(
  { features }: { readonly features: readonly Feature[] },
  db: Database,
  account: UsageScope['account'],
  rows: readonly AttributeRow[],
): Promise<UsageScope> {
  const { account_id: accountId } = account;
  const others: UseOfAttributes[] = [];
  for (const { attributeUses } of features) others.push(...((await attributeUses?.(db, accountId)) ?? []));
  return {
    account,
    rows,
    segments: await loadSegments(db, accountId),
    others,
  };
}

/**
 * Returns the uses of an attribute: segments in the order of their ids, the primary key, mappings,
 * and then other features.
 */
export function usesOf(scope: UsageScope, attribute: AttributeRow): AttributeUse[] {
  return [
    ...segmentUses(scope, attribute),
    ...primaryKeyUse(scope, attribute),
    ...mappingUses(scope, attribute),
    ...otherUses(scope, attribute),
  ];
}

/** Returns the uses of derived attributes: segments in the order of their ids, and then other features. */
export function usesOfDerived({ segments, others }: UsageScope): AttributeUse[] {
  return [
    ...segments
      .filter(({ filter }) => filterUsage(filter).derived)
      .map(({ audience_id: id, name }) => ({ feature: 'segment' as const, id, name })),
    ...others.filter(({ derived }) => derived === true).map(({ feature, id, name }) => ({ feature, id, name })),
  ];
}

/** Returns the segments that read an attribute, by its own name or as the target of its mapping. */
export function segmentsReading({ rows, segments }: UsageScope, attribute: AttributeRow): SegmentRow[] {
  const target = rows.find((row) => row.system && row.name === attribute.mapping);
  const ids = new Set([attribute.attribute_id, ...(target === undefined ? [] : [target.attribute_id])]);
  return segments.filter(({ filter }) => filterUsage(filter).attributeIds.some((id) => ids.has(id)));
}

function segmentUses(scope: UsageScope, attribute: AttributeRow): AttributeUse[] {
  return segmentsReading(scope, attribute).map(({ audience_id, name }) => ({
    feature: 'segment',
    id: audience_id,
    name,
  }));
}

function primaryKeyUse({ account }: UsageScope, { name }: AttributeRow): AttributeUse[] {
  if (account.primary_key !== name) return [];
  return [{ feature: 'primary_key', id: account.account_id, name: account.name }];
}

/** A mapping is a use of both of its attributes. */
function mappingUses({ rows }: UsageScope, attribute: AttributeRow): AttributeUse[] {
  return rows
    .filter((row) => row.name === attribute.mapping || row.mapping === attribute.name)
    .map(({ attribute_id, name }) => ({ feature: 'mapping', id: attribute_id, name }));
}

function otherUses({ others }: UsageScope, { attribute_id: attributeId }: AttributeRow): AttributeUse[] {
  return others
    .filter(({ attributeIds }) => attributeIds.includes(attributeId))
    .map(({ feature, id, name }) => ({ feature, id, name }));
}

/** Lists uses in a message, at most ten of them. */
export function describeUses(uses: readonly AttributeUse[]): string {
  const shown = uses.slice(0, 10).map(({ feature, id, name }) => `${featureNames[feature]} ${id} (${name})`);
  const more = uses.length > 10 ? ` and ${uses.length - 10} more` : '';
  return shown.join(', ') + more;
}

const featureNames: Record<AttributeUse['feature'], string> = {
  segment: 'segment',
  primary_key: 'the primary key of account',
  mapping: 'the mapping with attribute',
  export: 'export',
  event_subscription: 'event subscription',
  export_schedule: 'export schedule',
  import: 'import',
  bulk_change: 'bulk change',
  saved_view: 'saved view',
};
