import { subscriptionLimits } from '@roster/contract';
import type { UseOfAttributes } from '#features/attributes/usage/attribute-uses.ts';
import type { UseOfAudiences } from '#features/audiences/audience-uses.ts';
import { derivedFields } from '#features/registry/derived/derived-fields.ts';
import { filterUsage, type StoredFilter } from '#features/search/filter/stored-filter.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { listSubscriptions } from '../store/subscription-store.ts';

/** Lists the subscriptions of an account that send attributes or filter by them. */
export async function subscriptionsUsingAttributes(db: Database, accountId: number): Promise<UseOfAttributes[]> {
  const rows = await listSubscriptions(db, accountId, undefined, subscriptionLimits.perAccount);
  return rows
    .map(({ subscription_id: id, name, columns, filter }) => {
      const inFields = columns.flatMap(({ attribute_id }) => attribute_id ?? []);
      const used = filter === null ? undefined : filterUsage(filter as StoredFilter);
      return {
        feature: 'event_subscription' as const,
        id,
        name,
        attributeIds: [...new Set([...inFields, ...(used?.attributeIds ?? [])])],
        derived: used?.derived === true || columns.some(({ field }) => derivedFields.has(field ?? '')),
      };
    })
    .filter(({ attributeIds, derived }) => derived || attributeIds.length > 0);
}

/**
 * Lists the subscriptions of an account with the audiences in their filters. Such an audience cannot
 * be deleted, because nothing could be sent anymore.
 */
export async function subscriptionsUsingAudiences(db: Database, accountId: number): Promise<UseOfAudiences[]> {
  const rows = await listSubscriptions(db, accountId, undefined, subscriptionLimits.perAccount);
  return rows.flatMap(({ subscription_id: id, name, filter }) => {
    if (filter === null) return [];
    const { listIds, segmentIds } = filterUsage(filter as StoredFilter);
    return [
      {
        feature: 'event_subscription' as const,
        id,
        name,
        prevents_deletion: true,
        audienceIds: [...listIds, ...segmentIds],
      },
    ];
  });
}
