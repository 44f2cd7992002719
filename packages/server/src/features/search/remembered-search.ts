import { Faults, type PartlyRead, type SearchContactsBody } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { faultsError } from '#platform/errors/api-error.ts';
import { mentionedIds, type Definitions } from './load-definitions.ts';
import { checkSearch, withTimeout, type Audience, type CheckedSearch, type SearchScope } from './search.ts';

/** A search that was checked with definitions that the process remembers. */
export interface RememberedSearch {
  readonly search: CheckedSearch;
  /**
   * Resolves to `search` itself if the definitions are still the same, otherwise to the search with
   * those of now. Rejects with an ApiError if it has faults now.
   */
  readonly current: Promise<CheckedSearch>;
}

/**
 * Checks a search like {@link checkSearch}, with the definitions that this process read last, if
 * they allow it. Meanwhile it reads those of now. So a search takes one round trip to the database
 * instead of two. Faults are always those of the definitions of now.
 */
export async function checkRemembered(
  { servers, definitions, now }: Pick<Context, 'servers' | 'definitions' | 'now'>,
  scope: SearchScope,
  body: PartlyRead<SearchContactsBody>,
  audience: PartlyRead<Audience> | undefined,
  faults: Faults,
): Promise<RememberedSearch> {
  const { db, pool } = await servers.of(scope.accountId);
  const { remembered, changed } = definitions.read(pool, scope.accountId, mentionedIds(body, audience?.audience_id));
  // Only one of the ways below waits for it.
  changed.catch(() => undefined);
  const check = (found: Definitions, into: Faults): Promise<CheckedSearch> =>
    checkSearch({ searchDb: db, now }, { ...scope, ...found }, body, audience, into);

  const own = new Faults();
  const search = remembered === undefined ? undefined : await check(remembered, own);
  if (search === undefined || own.count > 0 || faults.count > 0) {
    const found = await withTimeout(async () => (await changed) ?? remembered!);
    const checked = await check(found, faults);
    return { search: checked, current: Promise.resolve(checked) };
  }
  const current = withTimeout(async () => {
    const found = await changed;
    if (found === undefined) return search;
    const nowFaults = new Faults();
    const checked = await check(found, nowFaults);
    if (nowFaults.count > 0) throw faultsError(nowFaults);
    return checked;
  });
  // Whoever runs the search gets the error. The request may fail before that.
  current.catch(() => undefined);
  return { search, current };
}

/**
 * Runs a checked search while the definitions of now are read. If they are others, aborts it and
 * runs the search that was checked with them. So the result is always that of the definitions of
 * now.
 */
export async function runRemembered<Result>(
  { search, current }: RememberedSearch,
  run: (search: CheckedSearch, outdated?: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const outdated = new AbortController();
  const first = run(search, outdated.signal);
  // It may fail before the definitions are there, and its result may not be needed.
  first.catch(() => undefined);
  let found: CheckedSearch | undefined;
  try {
    found = await current;
  } finally {
    if (found !== search) outdated.abort();
  }
  return found === search ? first : run(found);
}
