import type { Segment } from '@roster/contract';
import { hasMaskedConditions, shownFilter } from '#features/search/filter/stored-filter.ts';
import { noUses, type UsesView } from './audience-uses.ts';
import type { SegmentWithRegistry } from './segments.ts';

/**
 * Converts a segment to its form in the operator API, with the present names of its attributes.
 * `unmasked`: the caller may see unmasked values. `uses`: what uses it; absent for a new segment.
 */
export function segmentView(
  { segment, registry, live }: SegmentWithRegistry,
  unmasked: boolean,
  uses: UsesView = noUses,
): Segment {
  const filter = shownFilter(segment.filter, registry, unmasked);
  const { filtering_criteria_operator = 'and', filtering_criteria = [] } = filter;
  return {
    audience_id: segment.audience_id,
    name: segment.name,
    audience_type: 'segment',
    filtering_criteria_operator,
    filtering_criteria,
    has_masked_conditions: hasMaskedConditions(segment.filter, registry, unmasked),
    live,
    ...uses,
    created_at: segment.created_at.toISOString(),
    updated_at: segment.updated_at.toISOString(),
  };
}
