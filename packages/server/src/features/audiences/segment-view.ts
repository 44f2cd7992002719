import type { Segment } from '@roster/contract';
import { hasMaskedConditions, shownFilter } from '#features/search/filter/stored-filter.ts';
import type { FilterRights } from '#features/search/rights/filter-rights.ts';
import { noUses, type UsesView } from './audience-uses.ts';
import type { SegmentWithRegistry } from './segments.ts';

/**
 * Converts a segment to its form in the operator API, with the present names of its attributes.
 * `rights`: what the caller may see of it. `uses`: what uses it; absent for a new segment.
 */
export function segmentView(
  { segment, registry, live }: SegmentWithRegistry,
  rights: FilterRights,
  uses: UsesView = noUses,
): Segment {
  const filter = shownFilter(segment.filter, registry, rights);
  const { filtering_criteria_operator = 'and', filtering_criteria = [] } = filter;
  return {
    audience_id: segment.audience_id,
    name: segment.name,
    audience_type: 'segment',
    filtering_criteria_operator,
    filtering_criteria,
    has_masked_conditions: hasMaskedConditions(segment.filter, registry, rights),
    live,
    ...uses,
    created_at: segment.created_at.toISOString(),
    updated_at: segment.updated_at.toISOString(),
  };
}
