import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { useAccount, usePerson } from './use-account.ts';

/** Members and API keys of an account whose names are loaded. */
const limit = 500;

/**
 * Returns a function that names who did something, by the author in the audit log, such as
 * `user:7`. A person who is not a member anymore, a key that was deleted, and an author whom the
 * person may not see have a number.
 */
export function useAuthorName(): (author: string) => string {
  const t = useTexts('shell');
  const person = usePerson();
  const { data: members } = useMemberNames();
  const { data: keys } = useKeyNames();
  return useCallback(
    (author) => {
      const [kind, id] = author.split(':');
      if (kind === 'operator' || kind === 'system') return t(`author.${kind}`);
      // The owner of the service is not a member of each account.
      if (person !== null && author === `user:${person.user_id}`) return person.name || person.email;
      if (kind === 'user') return members?.get(author) ?? t('author.user', { id });
      const key = keys?.get(author);
      return key === undefined ? t('author.apiKey', { id }) : t('author.namedKey', { name: key });
    },
    [members, keys, person, t],
  );
}

/** Loads the names of the members by author, such as `user:7`. */
export function useMemberNames(): UseQueryResult<ReadonlyMap<string, string>> {
  const { accountId, account, can } = useAccount();
  return useQuery({
    queryKey: ['accounts', accountId, 'author-names'],
    queryFn: async ({ signal }) => {
      const members = await account.members.list({ limit, signal }).take(limit);
      return new Map(members.map(({ user_id: id, name, email }) => [`user:${id}`, name || email]));
    },
    enabled: can('members:read'),
    staleTime: 60_000,
  });
}

/** Loads the names of the API keys by author, such as `api-key:3`. */
function useKeyNames(): UseQueryResult<ReadonlyMap<string, string>> {
  const { accountId, account, can } = useAccount();
  return useQuery({
    queryKey: ['accounts', accountId, 'author-key-names'],
    queryFn: async ({ signal }) => {
      const keys = await account.apiKeys.list({ limit, signal }).take(limit);
      return new Map(keys.map(({ api_key_id: id, name }) => [`api-key:${id}`, name]));
    },
    enabled: can('api-keys:read'),
    staleTime: 60_000,
  });
}
