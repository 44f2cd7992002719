import { Faults, type Filter, type PartlyRead, type SearchContactsBody } from '@roster/contract';
import { loadRegistry, type Registry } from '#features/registry/registry.ts';
import { searchTimeout, type Context } from '#platform/context.ts';
import { databaseFault } from '#platform/database/connection/database.ts';
import { ApiError, refusalOf } from '#platform/errors/api-error.ts';
import { checkFilter } from './filter/check-filter.ts';
import { checkOutput } from './page/check-output.ts';
import type { CheckedFilter, ResolvedFilter } from './filter/checked-filter.ts';
import type { CheckedOutput } from './page/checked-output.ts';
import { writeCursor } from './page/cursor.ts';
import { fixedField } from './filter/fields.ts';
import { countMatches, findPage } from './page/find-page.ts';
import type { chooseStrategy } from './page/strategy.ts';
import { checkNamedAudience } from './filter/named-audience.ts';
import { resolveFilters } from './filter/resolve.ts';
import { createRowReader, type AnswerRow } from './page/rows.ts';
import { readWidePage, rowsThatFit } from './page/wide-page.ts';

/** Whose contacts a search sees, and how. */
export interface SearchScope {
  readonly accountId: number;
  /** The attributes of the account; read from the database when absent. */
  readonly registry?: Registry;
  /** True when the caller has the scope `unmasked`. Default: false. */
  readonly unmasked?: boolean;
}

/** An audience: contacts that are in any of the lists, or fall into any of the segments. */
export interface Audience {
  readonly audience_type: 'list' | 'segment';
  readonly audience_id: readonly number[];
}

/** What a search found. */
export interface SearchResult {
  readonly rows: readonly AnswerRow[];
  /** Number of all matches, exact; present when it was asked for. */
  readonly count?: number;
  /** Cursor of the next page; null when this one is the last. */
  readonly nextCursor: string | null;
}

type SearchContext = Pick<Context, 'searchDb'> & { readonly chooseStrategy?: typeof chooseStrategy };

/** A search that was checked against its account: {@link runSearch} answers it. */
export interface CheckedSearch {
  readonly accountId: number;
  readonly unmasked: boolean;
  readonly filter: ResolvedFilter;
  readonly output: CheckedOutput;
}

/**
 * Searches the contacts of an account, restricted to an audience when one is given.
 *
 * `body` is in the canonical form of the contract's reader. Throws an {@link ApiError}: `invalid_request` with every fault that the
 * registry, the lists and the segments of the account reveal, or `search_timeout` when the server cancelled the search.
 */
export async function searchContacts(
  ctx: SearchContext,
  scope: SearchScope,
  body: SearchContactsBody,
  audience?: PartlyRead<Audience>,
): Promise<SearchResult> {
  const faults = new Faults();
  const search = await checkSearch(ctx, scope, body, audience, faults);
  if (faults.count > 0) throw refusalOf(faults);
  return runSearch(ctx, search);
}

/**
 * Checks a search, or what could be read of one, against the registry, the lists and the segments of its account; adds every fault. The
 * result is meaningful only when there are none. Throws `search_timeout`.
 */
export async function checkSearch(
  ctx: SearchContext,
  scope: SearchScope,
  body: PartlyRead<SearchContactsBody>,
  audience: PartlyRead<Audience> | undefined,
  faults: Faults,
): Promise<CheckedSearch> {
  return withTimeout(async () => {
    const { accountId, unmasked = false } = scope;
    const rights = { registry: await registryOf(ctx, scope), unmasked };
    const given = checkFilter(body, rights, faults);
    // Of a body that is not an object nothing was read.
    const isRead = !faults.list.some(({ field }) => field === '');
    if (audience !== undefined && isRead) checkNamedAudience(audience, given, faults);
    const isNamedByFields = audience?.audience_id !== undefined;
    const filters = [...(isNamedByFields ? [audienceFilter(rights.registry, audience)] : []), given];
    const output = checkOutput(body, accountId, rights, faults);
    const needsLists = output.fields.some(({ field }) => field.type === 'list');
    const options = { accountId, registry: rights.registry, needsLists };
    const filter = await resolveFilters(ctx.searchDb, filters, options, faults);
    return { accountId, unmasked, filter, output };
  });
}

/** Runs a search that has no faults. Throws `search_timeout`, and `answer_too_large` when the rows of the page are too long together. */
export async function runSearch(
  ctx: SearchContext,
  { accountId, unmasked, filter, output }: CheckedSearch,
): Promise<SearchResult> {
  return withTimeout(async () => {
    const reader = createRowReader(output.sorting, output.fields, { unmasked, removedLists: filter.removedLists });
    const isWide = output.limit > rowsThatFit(output.fields);
    const columns = [...(isWide ? [] : reader.valueColumns), ...reader.positionColumns];
    const { rows: found, count } = await findPage(ctx.searchDb, filter, output, columns, ctx.chooseStrategy);
    const page = found.slice(0, output.limit);
    const more = found.length > output.limit;
    const last = page.at(-1);
    return {
      rows: isWide
        ? await readWidePage(ctx.searchDb, { filter, output }, page, reader)
        : page.map((row) => reader.toAnswer(row)),
      ...(count === undefined ? {} : { count }),
      nextCursor: more && last !== undefined ? writeCursor(accountId, output.sorting, reader.toPosition(last)) : null,
    };
  });
}

/** The matches of a filter: {@link resolveFilter} or {@link resolveAudience} made it. Throws `search_timeout`. */
export async function countFilter(ctx: SearchContext, filter: ResolvedFilter): Promise<number> {
  return withTimeout(() => countMatches(ctx.searchDb, filter));
}

/**
 * Checks a filter for an operator, or what could be read of one, and finds its lists and segments; `segmentId` is given when it is to become
 * the filter of a segment (null: a new one).
 *
 * Throws an {@link ApiError} `invalid_request` with all faults, those that `faults` has already first. `toStoredFilter(result.filters[0])`
 * is what a segment keeps.
 */
export async function resolveFilter(
  ctx: SearchContext,
  scope: SearchScope,
  filter: PartlyRead<Filter>,
  segmentId?: number | null,
  faults = new Faults(),
): Promise<ResolvedFilter> {
  const registry = await registryOf(ctx, scope);
  const checked = checkFilter(filter, { registry, unmasked: scope.unmasked ?? false }, faults);
  const options = { accountId: scope.accountId, registry, ...(segmentId === undefined ? {} : { segmentId }) };
  const resolved = await resolveFilters(ctx.searchDb, [checked], options, faults);
  if (faults.count > 0) throw refusalOf(faults);
  return resolved;
}

/** The filter of an audience, for exports and counts. Throws `invalid_request` when the audience does not exist, at `audience_id[0]`. */
export async function resolveAudience(
  ctx: SearchContext,
  scope: SearchScope,
  audience: Audience,
): Promise<ResolvedFilter> {
  const registry = await registryOf(ctx, scope);
  const faults = new Faults();
  const filters = [audienceFilter(registry, audience)];
  const resolved = await resolveFilters(ctx.searchDb, filters, { accountId: scope.accountId, registry }, faults);
  if (faults.count > 0) throw refusalOf(faults);
  return resolved;
}

async function registryOf(ctx: SearchContext, scope: SearchScope): Promise<Registry> {
  return scope.registry ?? loadRegistry(ctx.searchDb, scope.accountId);
}

function audienceFilter(registry: Registry, { audience_type, audience_id }: PartlyRead<Audience>): CheckedFilter {
  const field = fixedField(registry, audience_type === 'list' ? 'list_id' : 'segment_id');
  // Without a type nobody knows what the numbers mean, and the fault is there already.
  const ids = audience_type === undefined ? [] : (audience_id ?? []);
  const values = ids.map((id) => id ?? Number.NaN);
  const condition = { field, operation: 'equals', values, place: 'audience_id' } as const;
  return { connective: 'and', groups: [{ connective: 'and', conditions: [condition] }] };
}

async function withTimeout<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (databaseFault(error) !== 'timeout') throw error;
    throw new ApiError('search_timeout', { params: { seconds: searchTimeout / 1000 }, cause: error });
  }
}
