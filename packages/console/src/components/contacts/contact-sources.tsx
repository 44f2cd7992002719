import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { account as accountOf } from '#api/client.ts';
import { FilterSourcesProvider, type FilterSources } from '#components/filter/filter-sources.tsx';
import { contactFields } from '#components/filter/model/fields.ts';
import { ErrorState } from '#components/states/error-state.tsx';
import { LoadingState } from '#components/states/loading-state.tsx';
import type { Access } from './access.ts';

const rowsLoading = <LoadingState rows={12} height={24} />;

/** Loads what filters and tables of contacts need, and gives it to the parts of the page. */
export function ContactSources({
  access,
  loading = rowsLoading,
  children,
}: {
  readonly access: Access;
  readonly loading?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const { accountId, account, can } = access;
  const common = { staleTime: 60_000 };
  const primaryKey = useQuery({
    queryKey: ['accounts', accountId, 'account'],
    queryFn: ({ signal }) => account.get({ signal }),
    ...common,
  });
  const attributes = useQuery({
    queryKey: ['accounts', accountId, 'attributes', 'all'],
    queryFn: ({ signal }) => account.attributes.list({ limit: 500, signal }).all(),
    ...common,
  });
  const lists = useQuery({
    queryKey: ['accounts', accountId, 'lists', 'all'],
    queryFn: ({ signal }) => account.lists.list({ limit: 500, order: 'name', signal }).all(),
    ...common,
  });
  const segments = useQuery({
    queryKey: ['accounts', accountId, 'segments', 'all'],
    queryFn: ({ signal }) => account.segments.list({ limit: 500, order: 'name', signal }).all(),
    ...common,
  });
  const mayUseDerived = can('activity:read') && can('attributes:read');
  const derived = useQuery({
    queryKey: ['accounts', accountId, 'derived-attributes'],
    queryFn: ({ signal }) => account.activities.derived({ signal }),
    enabled: mayUseDerived,
    ...common,
  });
  const unmasked = can('unmasked');
  const sources = useMemo((): FilterSources | undefined => {
    if (!primaryKey.data || !attributes.data || !lists.data || !segments.data) return undefined;
    if (mayUseDerived && !derived.data) return undefined;
    const isReady = derived.data?.state === 'ready' || derived.data?.state === 'rebuilding';
    return {
      accountId,
      fields: contactFields(
        attributes.data,
        primaryKey.data.primary_key,
        unmasked,
        isReady ? derived.data!.attributes : [],
      ),
      lists: lists.data,
      segments: segments.data,
      async suggestValues(attributeId, text, signal) {
        const query = text === '' ? {} : { contains: text };
        const { data } = await accountOf(accountId).attributes.values(attributeId, { ...query, limit: 20, signal });
        return data.map(({ value }) => String(value));
      },
    };
  }, [accountId, primaryKey.data, attributes.data, lists.data, segments.data, unmasked, mayUseDerived, derived.data]);
  const queries = [primaryKey, attributes, lists, segments, derived];
  const failed = queries.find(({ error }) => error !== null);
  if (sources !== undefined) return <FilterSourcesProvider value={sources}>{children}</FilterSourcesProvider>;
  if (failed === undefined) return loading;
  return <ErrorState error={failed.error} onRetry={() => queries.forEach((query) => void query.refetch())} />;
}
