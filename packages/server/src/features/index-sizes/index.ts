import type { Feature } from '#platform/feature.ts';
import { minute, second } from '#platform/time/intervals.ts';
import { maintainIndexSizes } from './maintain-index-sizes.ts';
import { mergePendingEntries } from './merge-pending-entries.ts';
import { replaceIndexes } from './replace-indexes.ts';

/** Measures the indexes of contacts, rebuilds those that have grown or changed, and merges new entries. */
export const indexSizes: Feature = {
  name: 'index-sizes',
  upkeep: [
    { interval: 10 * minute, run: maintainIndexSizes },
    { interval: 10 * second, run: mergePendingEntries },
    { interval: minute, run: replaceIndexes },
  ],
};
