import { expect, test } from 'vitest';
import type { StoredFilter } from '#features/search/filter/stored-filter.ts';
import { segmentsUsing } from './segment-usage.ts';

const naming = (...segmentIds: number[]): StoredFilter => ({
  filtering_criteria_operator: 'and',
  filtering_criteria: [
    {
      condition_operator: 'and',
      condition_details: [{ field: 'segment_id', field_category: 'audience', operation: 'equals', value: segmentIds }],
    },
  ],
});

test('segments that use a segment are found through others, the closest first', () => {
  const filters = new Map([
    [1, naming()],
    [2, naming(4)],
    [3, naming(1)],
    [4, naming(1, 3)],
    [5, naming(6)],
  ]);
  expect(segmentsUsing(filters, 1)).toEqual([3, 4, 2]);
  expect(segmentsUsing(filters, 5)).toEqual([]);
});

test('the users of a segment that all segments of a large account use are found in one pass', () => {
  const filters = new Map(Array.from({ length: 50_000 }, (_, index) => [index + 2, naming(1)]));
  expect(segmentsUsing(filters, 1)).toHaveLength(50_000);
});
