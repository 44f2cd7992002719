import { Faults, type PartlyRead, type SearchContactsBody } from '@roster/contract';
import { faultsError } from '#platform/errors/api-error.ts';
import {
  checkSearch,
  runSearch,
  type Audience,
  type SearchContext,
  type SearchResult,
  type SearchScope,
} from '#features/search/search.ts';

/**
 * Searches the contacts of an account. With `audience`, searches only in that audience.
 *
 * `body` is the output of the contract's reader. Throws an {@link ApiError}:
 * - `invalid_request` with all faults, checked against the attributes and audiences of the account.
 * - `search_timeout` when the server cancelled the search.
 */
export async function searchContacts(
  ctx: SearchContext,
  scope: SearchScope,
  body: SearchContactsBody,
  audience?: PartlyRead<Audience>,
): Promise<SearchResult> {
  const faults = new Faults();
  const search = await checkSearch(ctx, scope, body, audience, faults);
  if (faults.count > 0) throw faultsError(faults);
  return runSearch(ctx, search);
}
