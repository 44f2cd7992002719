import type { Listing, Page } from '@roster/client';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';

/**
 * Options for `useInfiniteQuery` that read a listing of the client page by page. `open` gets the
 * signal that aborts the request:
 *
 *     listingQuery(['accounts', accountId, 'lists'], (more) => account(accountId).lists.list(more))
 */
export function listingQuery<Row>(
  key: readonly unknown[],
  open: (options: { readonly signal: AbortSignal }) => Listing<Row, Page<Row>>,
) {
  return infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => open({ signal }).page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }: Page<Row>) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}
