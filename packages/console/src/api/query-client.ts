import { QueryClient } from '@tanstack/react-query';
import { problemOf } from './problem.ts';

/** The cache of all answers of the API. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The client of the API retries.
      retry: false,
      staleTime: 10_000,
      networkMode: 'always',
      // A service that is away for a moment comes back without a click.
      refetchInterval: ({ state }) => (state.error !== null && problemOf(state.error).isTemporary ? 5_000 : false),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
