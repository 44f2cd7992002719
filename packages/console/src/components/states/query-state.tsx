import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isGone } from '#api/problem.ts';
import { ErrorState } from './error-state.tsx';
import { LoadingState } from './loading-state.tsx';

/**
 * Shows the data of a query, or its loading or failed state. Data that could not be loaded again
 * stays, unless it is gone.
 */
export function QueryState<Data>({
  query,
  head,
  loading,
  children,
}: {
  readonly query: UseQueryResult<Data>;
  /** Comes before the loading or failed state: the title of a page whose data has its title. */
  readonly head?: ReactNode;
  readonly loading?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}): ReactNode {
  const { data, error } = query;
  if (data !== undefined && (error === null || !isGone(error))) return children(data);
  return (
    <>
      {head}
      {error === null ? (
        (loading ?? <LoadingState />)
      ) : (
        <ErrorState error={error} onRetry={() => void query.refetch()} />
      )}
    </>
  );
}
