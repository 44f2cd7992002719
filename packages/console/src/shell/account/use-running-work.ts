import type { RunningWork } from '@roster/client';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { reloadContactData } from '#api/contact-data.ts';
import { problemOf } from '#api/problem.ts';
import { useAccountIfAny, type CurrentAccount } from './use-account.ts';

/** Milliseconds without an event after which the work is asked for instead. */
const patience = 5000;

/** The part of the cache that shows work of a kind. */
const areas: Readonly<Record<RunningWork['kind'], string>> = {
  import: 'imports',
  export: 'exports',
  bulk_change: 'bulk-changes',
  erasure: 'erasures',
  attribute_index: 'attributes',
};

/** Work of these kinds changes contacts. */
const changesContacts = new Set<RunningWork['kind']>(['import', 'bulk_change', 'erasure']);

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

/** Gets work that has ended, each time it is seen. */
type EndedWorkListener = (accountId: number, work: RunningWork) => void;

/** Keeps the running work of the account in the address up to date. Use it once. */
export function useFollowedWork(onEnded: EndedWorkListener): void {
  const current = useAccountIfAny();
  const cache = useQueryClient();
  useEffect(() => {
    if (current === undefined || !current.can('account:read')) return undefined;
    const ending = new AbortController();
    void follow(current, cache, onEnded, ending.signal);
    return () => ending.abort();
  }, [current, cache, onEnded]);
}

/** Follows the events. While they do not come, asks for the work instead. */
async function follow(
  current: CurrentAccount,
  cache: QueryClient,
  onEnded: EndedWorkListener,
  signal: AbortSignal,
): Promise<void> {
  let lastEvent = 0;
  const store = (work: readonly RunningWork[]): void => {
    storeWork(cache, current.accountId, work);
    for (const one of work) if (!isRunning(one)) onEnded(current.accountId, one);
  };
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

/** Stores the work. Pages load their data again when work that changes it has ended. */
function storeWork(cache: QueryClient, accountId: number, work: readonly RunningWork[]): void {
  const before = cache.getQueryData<readonly RunningWork[]>(keyOf(accountId));
  cache.setQueryData(keyOf(accountId), work);
  // The pages have just been loaded.
  if (before === undefined) return;
  const ended = new Set(endedKinds(before, work));
  for (const kind of ended) void cache.invalidateQueries({ queryKey: ['accounts', accountId, areas[kind]] });
  if ([...ended].some((kind) => changesContacts.has(kind))) void reloadContactData(cache, accountId);
}

/** Returns the kinds of the work that has ended between two looks. Short work is only in the second. */
function endedKinds(before: readonly RunningWork[], now: readonly RunningWork[]): RunningWork['kind'][] {
  const nameOf = ({ kind, id }: RunningWork): string => `${kind} ${id}`;
  const endedBefore = new Set(before.filter((one) => !isRunning(one)).map(nameOf));
  const present = new Set(now.map(nameOf));
  const ended = now.filter((one) => !isRunning(one) && !endedBefore.has(nameOf(one)));
  const gone = before.filter((one) => isRunning(one) && !present.has(nameOf(one)));
  return [...ended, ...gone].map(({ kind }) => kind);
}

/** Tells whether work waits or runs. */
export function isRunning({ status }: Pick<RunningWork, 'status'>): boolean {
  return status === 'waiting' || status === 'running';
}
