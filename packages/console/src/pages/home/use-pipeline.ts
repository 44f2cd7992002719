import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { PipelineState } from '@roster/client';
import { useAccount } from '#shell/account/use-account.ts';

/** Reads what waits and what failed: often while requests wait, else rarely. */
export function usePipeline(): UseQueryResult<PipelineState> {
  const { accountId, account } = useAccount();
  return useQuery({
    queryKey: ['accounts', accountId, 'statistics', 'pipeline'],
    queryFn: ({ signal }) => account.statistics.pipeline({ signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && data.waiting_requests > 0 ? 2000 : 15_000),
  });
}
