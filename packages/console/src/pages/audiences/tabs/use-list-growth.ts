import { useQuery } from '@tanstack/react-query';
import { useAccount } from '#shell/account/use-account.ts';

/** Loads the growth of a list. */
export function useListGrowth(audienceId: number, days: number) {
  const { accountId, account } = useAccount();
  return useQuery({
    queryKey: ['accounts', accountId, 'lists', 'growth', audienceId, days],
    queryFn: ({ signal }) => account.lists.growth(audienceId, { days, signal }),
    staleTime: 60_000,
  });
}
