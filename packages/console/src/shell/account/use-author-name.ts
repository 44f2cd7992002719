import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { useAccount } from './use-account.ts';

/** Members of an account whose names are loaded. */
const limit = 500;

/**
 * Returns a function that names who did something, by the author in the audit log, such as
 * `user:7`. A person who is not a member anymore, or whom the caller may not see, has a number.
 */
export function useAuthorName(): (author: string) => string {
  const t = useTexts('shell');
  const { data: names } = useMemberNames();
  return useCallback(
    (author) => {
      const [kind, id] = author.split(':');
      if (kind === 'operator' || kind === 'system') return t(`author.${kind}`);
      return names?.get(author) ?? t(kind === 'user' ? 'author.user' : 'author.apiKey', { id });
    },
    [names, t],
  );
}

/** Loads the names of the members by author, such as `user:7`. */
export function useMemberNames(): UseQueryResult<ReadonlyMap<string, string>> {
  const { accountId, account, can } = useAccount();
  return useQuery({
    queryKey: ['accounts', accountId, 'author-names'],
    queryFn: async ({ signal }) => {
      const members = await account.members.list({ limit, signal }).take(limit);
      return new Map(members.map(({ user_id: id, name }) => [`user:${id}`, name]));
    },
    enabled: can('members:read'),
    staleTime: 60_000,
  });
}
