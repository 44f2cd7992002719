import type { Page } from '@roster/client';
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';

/** The rows of a table, and how to get more. */
export interface TableRows<Row> {
  readonly rows: readonly Row[];
  readonly isLoading: boolean;
  /** The shown rows are those of the previous filter. */
  readonly isRefreshing: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  readonly retry: () => void;
  /** Is told which rows are visible, so that others need not stay in memory. */
  readonly onVisible?: (first: number, last: number) => void;
}

const none: readonly never[] = [];
const nothing = (): void => undefined;

/** Returns the rows of an infinite query over a listing; see `listingQuery`. */
export function useRowsOfPages<Row>(query: UseInfiniteQueryResult<InfiniteData<Page<Row>>>): TableRows<Row> {
  const { data, error, isPending, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  return useMemo(
    () => ({
      rows: data === undefined ? none : data.pages.flatMap((page) => page.data),
      isLoading: isPending,
      isRefreshing: isPlaceholderData,
      error,
      hasMore: hasNextPage,
      isLoadingMore: isFetchingNextPage,
      loadMore: () => void fetchNextPage(),
      retry: () => void refetch(),
    }),
    [data, error, isPending, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage, refetch],
  );
}

/** Returns the rows of a query whose data is a short array. */
export function useRowsOfList<Row>(query: UseQueryResult<readonly Row[]>): TableRows<Row> {
  const { data, error, isPending, isPlaceholderData, refetch } = query;
  return useMemo(
    () => ({
      rows: data ?? none,
      isLoading: isPending,
      isRefreshing: isPlaceholderData,
      error,
      hasMore: false,
      isLoadingMore: false,
      loadMore: nothing,
      retry: () => void refetch(),
    }),
    [data, error, isPending, isPlaceholderData, refetch],
  );
}
