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
  loading,
  children,
}: {
  readonly query: UseQueryResult<Data>;
  readonly loading?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}): ReactNode {
  const { data, error } = query;
  if (data !== undefined && (error === null || !isGone(error))) return children(data);
  if (error !== null) return <ErrorState error={error} onRetry={() => void query.refetch()} />;
  return loading ?? <LoadingState />;
}
