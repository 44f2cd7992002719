import { skipToken, useQuery } from '@tanstack/react-query';
import { useAccountIfAny } from './use-account.ts';

/**
 * Loads the account of the page or of its menu: name, time zone and primary key. Does nothing if the
 * person has no account.
 */
export function useAccountDetail() {
  const current = useAccountIfAny();
  return useQuery({
    queryKey: ['accounts', current?.accountId, 'account'],
    queryFn: current === undefined ? skipToken : ({ signal }) => current.account.get({ signal }),
    staleTime: 300_000,
  });
}
