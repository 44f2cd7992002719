import { searchTimeout } from '#platform/context.ts';
import type { Feature } from '#platform/feature.ts';
import { createDefinitionsReader } from './load-definitions.ts';
import { createSearchQueue } from './search-queue.ts';

/** Searches of contacts, for the API and for other features. */
export const search: Feature = {
  name: 'search',
  openContext: ({ config, databaseTurns, searchPool, servers, searchServers, replicas }) => ({
    definitions: createDefinitionsReader(),
    searches: createSearchQueue({
      replicas,
      servers: searchServers,
      control: servers,
      onWait: () => databaseTurns.end(),
      size: searchPool.options.max,
      perAccount: config.searchesPerAccount,
      timeout: searchTimeout,
    }),
  }),
};
