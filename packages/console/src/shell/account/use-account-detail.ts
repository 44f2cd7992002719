import { skipToken, useQuery } from '@tanstack/react-query';
import { useAccountIfAny } from './use-account.ts';

/** Loads the account in the address: its name, time zone and primary key. Does nothing on pages without one. */
export function useAccountDetail() {
  const current = useAccountIfAny();
  return useQuery({
    queryKey: ['accounts', current?.accountId, 'account'],
    queryFn: current === undefined ? skipToken : ({ signal }) => current.account.get({ signal }),
    staleTime: 300_000,
  });
}
