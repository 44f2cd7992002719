import { MutationCache, QueryClient } from '@tanstack/react-query';
import { problemOf } from './problem.ts';

/** The cache of all answers of the API. */
export const queryClient: QueryClient = new QueryClient({
  mutationCache: new MutationCache({
    // If it was done all the same, the page must show it before the person tries again.
    onError(error) {
      if (problemOf(error).kind === 'unanswered') void queryClient.invalidateQueries();
    },
  }),
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
