import { noFilter, type FilterModel } from '#components/filter/model/filter.ts';

/** Makes the filter that matches the contacts of a list or segment. */
export function audienceFilter(type: 'list' | 'segment', audienceId: number): FilterModel {
  const condition = { id: 0, field: `${type}_id`, operation: 'equals', values: [audienceId] } as const;
  return { ...noFilter, groups: [{ id: 0, connective: 'and', conditions: [condition] }] };
}
