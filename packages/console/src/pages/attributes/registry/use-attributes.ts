import type { OperatorAttribute } from '@roster/client';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useAccountDetail } from '#shell/account/use-account-detail.ts';
import { useAccount } from '#shell/account/use-account.ts';

/** The key of all attributes of an account in the cache. */
export const attributesKey = (accountId: number): readonly unknown[] => ['accounts', accountId, 'attributes', 'all'];

/** Loads all attributes of the account. There are at most 500. */
export function useAttributes() {
  const { accountId, account } = useAccount();
  return useQuery({
    queryKey: attributesKey(accountId),
    queryFn: ({ signal }): Promise<readonly OperatorAttribute[]> =>
      account.attributes.list({ limit: 500, signal }).all(),
  });
}

/** Loads where an attribute is used, and counts its values. */
export function useUsage(attributeId: number) {
  const { accountId, account } = useAccount();
  return useQuery({
    queryKey: ['accounts', accountId, 'attributes', attributeId, 'usage'],
    queryFn: async ({ signal }) => (await account.asApiKey.attributes.usage([attributeId], { signal }))[0]!,
  });
}

/** Why the most frequent values of an attribute cannot be listed; undefined if they can. */
export function useNoValues({
  name,
  data_type: type,
  data_masking: masking,
}: OperatorAttribute): 'longText' | 'key' | 'forbidden' | 'masked' | undefined {
  const { can } = useAccount();
  const primaryKey = usePrimaryKey();
  if (type === 'long_text') return 'longText';
  if (name === primaryKey) return 'key';
  if (!can('contacts:read')) return 'forbidden';
  return masking !== 'none' && !can('unmasked') ? 'masked' : undefined;
}

/** Loads the most frequent values of an attribute, if that is possible. */
export function useFrequentValues(attribute: OperatorAttribute, contains = '') {
  const { accountId, account } = useAccount();
  const { id } = attribute;
  return useQuery({
    queryKey: ['accounts', accountId, 'attributes', id, 'values', contains],
    queryFn: ({ signal }) => account.attributes.values(id, { signal, ...(contains === '' ? {} : { contains }) }),
    enabled: useNoValues(attribute) === undefined,
    placeholderData: keepPreviousData,
  });
}

/** Returns the number of contacts of the account; undefined until it is known. */
export function useContactTotal(): number | undefined {
  const { accountId, account, can } = useAccount();
  const { data } = useQuery({
    queryKey: ['accounts', accountId, 'statistics', 'contacts', 'now'],
    queryFn: async ({ signal }) => (await account.statistics.contacts({ signal })).contacts,
    enabled: can('contacts:read'),
  });
  return data;
}

/** Returns the name of the primary key of the account; undefined until it is known. */
export function usePrimaryKey(): string | undefined {
  return useAccountDetail().data?.primary_key;
}

/** Returns a function that loads all data about attributes again. */
export function useRefreshAttributes(): () => Promise<void> {
  const { accountId } = useAccount();
  const queries = useQueryClient();
  return useCallback(
    () => queries.invalidateQueries({ queryKey: ['accounts', accountId, 'attributes'] }),
    [queries, accountId],
  );
}
