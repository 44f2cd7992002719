import type { Feature } from '#platform/feature.ts';
import { minute } from '#platform/time/intervals.ts';
import { maintainIndexSizes } from './maintain-index-sizes.ts';

/** Measures the indexes of contacts, and rebuilds indexes that have grown too much. */
export const indexSizes: Feature = {
  name: 'index-sizes',
  upkeep: [{ interval: 10 * minute, run: maintainIndexSizes }],
};
