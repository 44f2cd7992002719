import { RosterError, type ContactRow } from '@roster/client';
import { useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useEntryMemory } from '#components/table/entry-memory.ts';
import type { TableRows } from '#components/table/table-rows.ts';
import type { Access } from '../access.ts';
import { loadPage, rowsPerPage, type ContactQuery } from '../contact-search.ts';

/** A row of a table of contacts. Its values are undefined while its page is not in memory. */
export interface ContactTableRow {
  readonly index: number;
  readonly values: ContactRow | undefined;
}

/** Fewer rows at a time, for contacts whose values are too long for one answer. */
const rowsPerSmallPage = 10;

/** Pages that stay loaded before and after the visible ones. */
const pagesAround = 2;

/** What is known about the pages of one search. */
interface Pages {
  readonly key: string;
  /** The cursor of each known page. The first page has none. */
  readonly cursors: readonly (string | undefined)[];
  /** Number of rows of the pages that were loaded once. */
  readonly sizes: readonly number[];
  readonly limit: number;
  readonly first: number;
  readonly last: number;
}

const startOf = (key: string, limit = rowsPerPage): Pages => ({
  key,
  cursors: [undefined],
  sizes: [],
  limit,
  first: 0,
  last: 0,
});

/**
 * Returns the rows of a search of any size. Only the pages around the visible rows are in memory.
 * The cursors of all pages that were seen are kept, so that a page can be loaded again, also when the
 * person comes back by the Back button.
 */
export function useContactRows(access: Access, query: ContactQuery): TableRows<ContactTableRow> {
  const key = JSON.stringify([access.accountId, query]);
  const { initial, remember } = useEntryMemory<Pages>('pages of contacts');
  const [state, setPages] = useState(() => (initial?.key === key ? initial : startOf(key)));
  const pages = state.key === key ? state : startOf(key);
  useEffect(() => remember(state), [remember, state]);
  const change = useCallback(
    (next: (pages: Pages) => Pages) => setPages((now) => next(now.key === key ? now : startOf(key))),
    [key],
  );

  const from = Math.max(0, pages.first - pagesAround);
  const to = Math.min(pages.cursors.length - 1, pages.last + pagesAround);
  const results = useQueries({
    queries: Array.from({ length: to - from + 1 }, (_, at) => {
      const cursor = pages.cursors[from + at];
      return {
        queryKey: ['accounts', access.accountId, 'contacts', 'page', query, pages.limit, cursor ?? null],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          loadPage(access, query, { cursor, limit: pages.limit, signal }),
        gcTime: 5_000,
        staleTime: 60_000,
      };
    }),
  });

  // Each page has the cursor of the next one.
  for (const [at, { data }] of results.entries()) {
    const index = from + at;
    if (data === undefined) continue;
    const isNew = index === pages.sizes.length;
    const nextCursor = data.next_cursor ?? undefined;
    if (!isNew && pages.sizes[index] === data.data.length && pages.cursors[index + 1] === nextCursor) continue;
    // The rows after a changed page may have changed, too.
    setPages({
      ...pages,
      sizes: [...pages.sizes.slice(0, index), data.data.length],
      cursors: [...pages.cursors.slice(0, index + 1), ...(nextCursor === undefined ? [] : [nextCursor])],
    });
    break;
  }

  const failed = results.find(({ error }) => error !== null);
  // A search that the service refuses without a fault: the values are too long for one answer.
  const isTooLarge =
    failed?.error instanceof RosterError && failed.error.status === 400 && failed.error.faults.length === 0;
  if (isTooLarge && pages.limit > rowsPerSmallPage) setPages(startOf(key, rowsPerSmallPage));

  const loaded = new Map(results.map(({ data }, at) => [from + at, data?.data]));
  const loadedKey = results.map(({ dataUpdatedAt }) => dataUpdatedAt).join();
  const rows = useMemo(
    () => {
      const all: ContactTableRow[] = [];
      for (const [page, size] of pages.sizes.entries()) {
        const values = loaded.get(page);
        for (let at = 0; at < size; at++) all.push({ index: all.length, values: values?.[at] });
      }
      return all;
    },
    // The other values depend on these.
    // oxlint-disable-next-line react/exhaustive-deps
    [pages.sizes, from, to, loadedKey],
  );

  const isLoading = pages.sizes.length === 0 && (failed === undefined || isTooLarge);
  const previous = useRef<readonly ContactTableRow[] | undefined>(undefined);
  if (!isLoading) previous.current = rows;
  const shown = isLoading ? previous.current : rows;

  return {
    rows: shown ?? [],
    isLoading: shown === undefined,
    isRefreshing: isLoading && shown !== undefined,
    error: isTooLarge ? null : (failed?.error ?? null),
    hasMore: !isLoading && pages.cursors.length > pages.sizes.length,
    isLoadingMore: results.at(-1)?.isFetching ?? false,
    loadMore: useCallback(() => change((now) => ({ ...now, last: now.cursors.length - 1 })), [change]),
    retry: () => results.forEach((result) => void result.refetch()),
    onVisible: useCallback(
      (first: number, last: number) =>
        change((now) => {
          const [a, b] = [Math.floor(first / now.limit), Math.floor(last / now.limit)];
          return a === now.first && b === now.last ? now : { ...now, first: a, last: b };
        }),
      [change],
    ),
  };
}
