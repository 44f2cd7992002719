import { searchTimeout } from '#platform/context.ts';
import type { Feature } from '#platform/feature.ts';
import { createSearchTurns } from './search-turns.ts';

/** Searching contacts, for callers and for the features that search. */
export const search: Feature = {
  name: 'search',
  openContext: ({ config, pool, searchPool }) => ({
    searches: createSearchTurns({
      pool: searchPool,
      control: pool,
      size: searchPool.options.max,
      perAccount: config.searchesPerAccount,
      timeout: searchTimeout,
    }),
  }),
};
