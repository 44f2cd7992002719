import { MutationCache, notifyManager, QueryClient } from '@tanstack/react-query';
import { problemOf, type ProblemKind } from './problem.ts';

// By default, a button learns only after the next click of a double click that its request runs, and
// sends it twice.
notifyManager.setScheduler(queueMicrotask);

/** Failures of a change after which the page is loaded again. */
const outdated: ReadonlySet<ProblemKind> = new Set(['unanswered', 'notFound', 'forbidden']);

/** The cache of all answers of the API. */
export const queryClient: QueryClient = new QueryClient({
  mutationCache: new MutationCache({
    // If it was done all the same, the page must show it before the person tries again. In the other
    // cases, the page shows a state that is no longer true.
    onError(error) {
      if (outdated.has(problemOf(error).kind)) void queryClient.invalidateQueries();
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
