import { searchTimeout } from '#platform/context.ts';
import type { Feature } from '#platform/feature.ts';
import { createSearchQueue } from './search-queue.ts';

/** Searches of contacts, for the API and for other features. */
export const search: Feature = {
  name: 'search',
  openContext: ({ config, pool, searchPool, replicas }) => ({
    searches: createSearchQueue({
      replicas,
      pool: searchPool,
      control: pool,
      size: searchPool.options.max,
      perAccount: config.searchesPerAccount,
      timeout: searchTimeout,
    }),
  }),
};
