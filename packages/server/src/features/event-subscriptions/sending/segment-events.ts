import type { AccountEvent } from '@roster/contract';
import type { CheckedFilter, Condition, ResolvedFilter } from '#features/search/filter/checked-filter.ts';

/** Returns the segment that an event says a contact entered or left. */
export function segmentOf({ kind, details }: AccountEvent): number | undefined {
  if (kind !== 'contact.entered_segment' && kind !== 'contact.left_segment') return undefined;
  // Empty details: the contact was erased.
  return typeof details['segment_id'] === 'number' ? details['segment_id'] : undefined;
}

/**
 * Returns the filter for a contact that is treated as a member of a segment. Undefined: the filter
 * has no condition on this segment. Does not look into other segments.
 *
 * A contact that left a segment no longer matches a filter on it. But a filter on a segment asks for
 * its entries and departures.
 */
export function assumeInSegment(filter: ResolvedFilter, segmentId: number): ResolvedFilter | undefined {
  const isMet = ({ field, operation, values }: Condition): boolean =>
    field.type === 'segment' && operation === 'equals' && values.some((id) => Number(id) === segmentId);
  if (!filter.filters.some(({ groups }) => groups.some(({ conditions }) => conditions.some(isMet)))) return undefined;
  return { ...filter, filters: filter.filters.map((part) => assume(part, isMet)) };
}

function assume({ connective, groups }: CheckedFilter, isMet: (condition: Condition) => boolean): CheckedFilter {
  const left = groups.map((group) => {
    const conditions = group.conditions.filter((condition) => !isMet(condition));
    const isWholeMet = group.connective === 'or' && conditions.length < group.conditions.length;
    return { ...group, conditions: isWholeMet ? [] : conditions };
  });
  const open = left.filter(({ conditions }) => conditions.length > 0);
  // A filter without groups matches all contacts.
  return { connective, groups: connective === 'or' && open.length < left.length ? [] : open };
}
