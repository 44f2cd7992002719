import type { RunningWork } from '@roster/client';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { problemOf } from '#api/problem.ts';
import { useAccountIfAny, type CurrentAccount } from './use-account.ts';

/** Milliseconds without an event after which the work is asked for instead. */
const patience = 5000;

/** The pages whose data changes when work of a kind ends. */
const areas: Readonly<Record<RunningWork['kind'], string>> = {
  import: 'imports',
  export: 'exports',
  bulk_change: 'bulk-changes',
  erasure: 'erasures',
  attribute_index: 'attributes',
};

/** The key of the running work of an account in the cache. */
const keyOf = (accountId: number): readonly unknown[] => ['accounts', accountId, 'running'];

/** Returns the running work of the account in the address, as {@link useFollowedWork} keeps it. */
export function useRunningWork(): readonly RunningWork[] {
  const current = useAccountIfAny();
  const { data } = useQuery<readonly RunningWork[]>({
    queryKey: keyOf(current?.accountId ?? 0),
    queryFn: () => [],
    enabled: false,
  });
  return data ?? [];
}

/** Keeps the running work of the account in the address up to date. Use it once. */
export function useFollowedWork(): void {
  const current = useAccountIfAny();
  const cache = useQueryClient();
  useEffect(() => {
    if (current === undefined || !current.can('account:read')) return undefined;
    const ending = new AbortController();
    void follow(current, cache, ending.signal);
    return () => ending.abort();
  }, [current, cache]);
}

/** Follows the events. While they do not come, asks for the work instead. */
async function follow(current: CurrentAccount, cache: QueryClient, signal: AbortSignal): Promise<void> {
  let lastEvent = 0;
  const store = (work: readonly RunningWork[]): void => storeWork(cache, current.accountId, work);
  const poll = async (): Promise<void> => {
    if (Date.now() - lastEvent < patience || document.hidden) return;
    // Events come only after changes, so a quiet stream is asked now and then, too.
    await current.account.running.list({ signal }).then(store, () => undefined);
  };
  const timer = setInterval(() => void poll(), patience);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  try {
    for await (const work of current.account.running.follow({ signal })) {
      lastEvent = Date.now();
      store(work);
    }
  } catch (error) {
    // Without the right to see the account, asking is useless, too.
    if (!problemOf(error).isTemporary) clearInterval(timer);
  }
}

/** Stores the work. Pages load their data again when work of theirs has ended. */
function storeWork(cache: QueryClient, accountId: number, work: readonly RunningWork[]): void {
  const before = cache.getQueryData<readonly RunningWork[]>(keyOf(accountId)) ?? [];
  cache.setQueryData(keyOf(accountId), work);
  const running = new Set(before.filter(isRunning).map(({ kind, id }) => `${kind} ${id}`));
  for (const { kind, id, status } of work) running.delete(isRunning({ status }) ? `${kind} ${id}` : '');
  const ended = new Set([...running].map((name) => name.split(' ')[0] as RunningWork['kind']));
  for (const kind of ended) void cache.invalidateQueries({ queryKey: ['accounts', accountId, areas[kind]] });
}

/** Tells whether work waits or runs. */
export function isRunning({ status }: Pick<RunningWork, 'status'>): boolean {
  return status === 'waiting' || status === 'running';
}
