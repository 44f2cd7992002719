import type { Feature } from '#platform/feature.ts';
import { minute } from '#platform/time/intervals.ts';
import { keepIndexSizes } from './keep-index-sizes.ts';

/** Measures the indexes of contacts, and rebuilds those that have grown. */
export const indexSizes: Feature = {
  name: 'index-sizes',
  upkeep: [{ interval: 10 * minute, run: keepIndexSizes }],
};
