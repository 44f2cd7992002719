import { Faults, type PartlyRead, type SearchContactsBody } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { faultsError } from '#platform/errors/api-error.ts';
import { mentionedIds, type Definitions } from './load-definitions.ts';
import type { SearchQueue } from './search-queue.ts';
import {
  checkSearch,
  reportingTimeout,
  runSearch,
  type Audience,
  type CheckedSearch,
  type SearchResult,
  type SearchScope,
} from './search.ts';

/** A search that may have been checked with definitions that are out of date. */
export interface RememberedSearch {
  readonly search: CheckedSearch;
  /**
   * Resolves to `search` itself if the definitions are still the same, otherwise to the search with
   * those of now. Rejects with an ApiError if it has faults now.
   */
  readonly current: Promise<CheckedSearch>;
}

/**
 * Checks a search like {@link checkSearch}. Usually it does not wait for the definitions of now, but
 * checks with those that this process read last, so that the search can begin at once. Faults are
 * always those of the definitions of now.
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

  if (remembered !== undefined && faults.count === 0) {
    const own = new Faults();
    const search = await check(remembered, own);
    if (own.count === 0) return { search, current: checkAgain(search, changed, check) };
  }
  const checked = await check(await reportingTimeout(async () => (await changed) ?? remembered!), faults);
  return { search: checked, current: Promise.resolve(checked) };
}

/** Returns the search itself if no definition has changed, otherwise checks it again. */
function checkAgain(
  search: CheckedSearch,
  changed: Promise<Definitions | undefined>,
  check: (found: Definitions, into: Faults) => Promise<CheckedSearch>,
): Promise<CheckedSearch> {
  const current = reportingTimeout(async () => {
    const found = await changed;
    if (found === undefined) return search;
    const faults = new Faults();
    const checked = await check(found, faults);
    if (faults.count > 0) throw faultsError(faults);
    return checked;
  });
  // The search reports the error when it runs. The request may fail before that.
  current.catch(() => undefined);
  return current;
}

/**
 * Runs a search when its turn comes. If the definitions of now turn out to be others, it takes
 * another turn with them, so the result is always that of the definitions of now.
 */
export async function runRemembered(
  searches: Pick<SearchQueue, 'run'>,
  { search, current }: RememberedSearch,
  signal: AbortSignal,
): Promise<SearchResult> {
  const { accountId } = search;
  const { result, found } = await searches.run(accountId, signal, async (searchDb) => {
    const [first] = await Promise.allSettled([runSearch({ searchDb }, search)]);
    // A result needs memory, so it keeps its turn while it waits.
    const latest = await current;
    if (latest === search && first.status === 'rejected') throw first.reason;
    return { result: first, found: latest };
  });
  if (found === search && result.status === 'fulfilled') return result.value;
  // A replica may not have these definitions yet. It waits for them at the beginning of a turn.
  return searches.run(accountId, signal, (searchDb) => runSearch({ searchDb }, found));
}
