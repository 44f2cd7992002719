import type { Import } from '@roster/client';
import { queryOptions } from '@tanstack/react-query';
import { account } from '#api/client.ts';
import type { Status } from '#components/values/status-badge.tsx';

/** Whether an import has not ended, and nobody has to do anything. */
export function isRunning({ status }: Import): boolean {
  return status === 'fetching' || status === 'accepted' || status === 'running';
}

/** The status of an import that pages show. It says when some rows of an import failed. */
export function statusOf({ status, counts }: Import): Status {
  return status === 'completed' && counts.failed > 0 ? 'partial' : status;
}

/** One import. It is read again every second until it has ended. */
export function importQuery(accountId: number, importId: string) {
  return queryOptions({
    queryKey: ['accounts', accountId, 'imports', importId],
    queryFn: ({ signal }) => account(accountId).imports.get(importId, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data === undefined || !isRunning(state.data) ? false : 1000),
  });
}
