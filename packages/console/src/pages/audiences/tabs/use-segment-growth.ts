import { useQuery } from '@tanstack/react-query';
import { useFirstDay } from '#components/charts/period-control.tsx';
import type { PeriodDays } from '#components/charts/period.ts';
import { useAccount } from '#shell/account/use-account.ts';

/** Loads the growth of a segment. */
export function useSegmentGrowth(audienceId: number, days: PeriodDays) {
  const { accountId, account } = useAccount();
  const from = useFirstDay(days);
  return useQuery({
    queryKey: ['accounts', accountId, 'segments', 'growth', audienceId, from],
    queryFn: ({ signal }) => account.segments.growth(audienceId, { from: from!, signal }),
    enabled: from !== undefined,
    staleTime: 60_000,
  });
}
