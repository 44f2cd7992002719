import { Faults, type PartlyRead, type SearchContactsBody } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { faultsError } from '#platform/errors/api-error.ts';
import { checkRemembered, runRemembered } from '#features/search/remembered-search.ts';
import {
  checkSearch,
  runSearch,
  type Audience,
  type SearchContext,
  type SearchResult,
  type SearchScope,
} from '#features/search/search.ts';

type TestedContext = SearchContext & Partial<Pick<Context, 'servers' | 'definitions'>>;

/**
 * Searches the contacts of an account. With `audience`, searches only in that audience. A whole
 * context searches like the routes, with what it remembers.
 *
 * `body` is the output of the contract's reader. Throws an {@link ApiError}:
 * - `invalid_request` with all faults, checked against the attributes and audiences of the account.
 * - `search_timeout` when the server cancelled the search.
 */
export async function searchContacts(
  ctx: TestedContext,
  scope: SearchScope,
  body: SearchContactsBody,
  audience?: PartlyRead<Audience>,
): Promise<SearchResult> {
  const faults = new Faults();
  const { servers, definitions, now, searchDb, chooseStrategy } = ctx;
  if (
    servers === undefined ||
    definitions === undefined ||
    chooseStrategy !== undefined ||
    scope.registry !== undefined
  ) {
    const search = await checkSearch(ctx, scope, body, audience, faults);
    if (faults.count > 0) throw faultsError(faults);
    return runSearch(ctx, search);
  }
  const remembered = await checkRemembered({ servers, definitions, now }, scope, body, audience, faults);
  if (faults.count > 0) throw faultsError(faults);
  const searches = {
    run: <T>(_: number, __: unknown, search: (db: Context['searchDb']) => Promise<T>) => search(searchDb),
  };
  return runRemembered(searches, remembered, new AbortController().signal);
}
