import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { LoadingState } from './loading-state.tsx';

/** Shows the data of a query, or its loading or failed state. */
export function QueryState<Data>({
  query,
  loading,
  children,
}: {
  readonly query: UseQueryResult<Data>;
  readonly loading?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}): ReactNode {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return loading ?? <LoadingState />;
}
