import { operations, RosterError, type OperationId } from '@roster/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { problemOf } from './problem.ts';

let onSignedOut = (): void => undefined;

/** Sets what happens when the service says that nobody is signed in. */
export function whenSignedOut(handler: () => void): void {
  onSignedOut = handler;
}

function watch(error: unknown): void {
  // A failed sign-in is also 401.
  if (error instanceof RosterError && error.status === 401 && needsSession(error.operation)) onSignedOut();
}

function needsSession(operation: string): boolean {
  return Object.hasOwn(operations, operation) && operations[operation as OperationId].credential !== 'none';
}

/** The cache of all answers of the API. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: watch }),
  mutationCache: new MutationCache({ onError: watch }),
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
