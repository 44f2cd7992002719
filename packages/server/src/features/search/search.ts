import { Faults, type Filter, type PartlyRead, type SearchContactsBody } from '@roster/contract';
import type { RawBuilder } from 'kysely';
import { loadRegistry, type Registry } from '#features/registry/registry.ts';
import { searchTimeout, type Context } from '#platform/context.ts';
import { databaseFault } from '#platform/database/connection/database.ts';
import { ApiError, faultsError } from '#platform/errors/api-error.ts';
import { checkFilter } from './filter/check-filter.ts';
import { checkOutput } from './page/check-output.ts';
import type { CheckedFilter, ResolvedFilter } from './filter/checked-filter.ts';
import type { CheckedOutput } from './page/checked-output.ts';
import { writeCursor } from './page/cursor.ts';
import { fixedField } from './filter/fields.ts';
import { countMatches, findPage } from './page/find-page.ts';
import type { chooseStrategy } from './page/strategy.ts';
import { checkNamedAudience } from './filter/named-audience.ts';
import { resolveFilters, type LoadedAudiences } from './filter/resolve.ts';
import { fromStoredFilter, toStoredFilter, type StoredFilter } from './filter/stored-filter.ts';
import { allFilterRights, type FilterRights } from './rights/filter-rights.ts';
import { createRowReader, type AnswerRow } from './page/rows.ts';
import { noColumns } from './page/page.ts';
import { readWidePage, rowsThatFit } from './page/wide-page.ts';

/** The account of a search, and the rights of the caller. Rights that are absent are missing. */
export interface SearchScope extends Partial<FilterRights> {
  readonly accountId: number;
  /** The attributes of the account. Loaded from the database when absent. */
  readonly registry?: Registry;
  /** Audiences of the account. Others are loaded from the database. */
  readonly loaded?: LoadedAudiences;
}

/** Contacts that are in any of the lists, or match any of the segments. */
export interface Audience {
  readonly audience_type: 'list' | 'segment';
  readonly audience_id: readonly number[];
}

/** One page of the result of a search. */
export interface SearchResult {
  readonly rows: readonly AnswerRow[];
  /** Exact number of all matches. Present only on request. */
  readonly count?: number;
  /** Cursor of the next page; null on the last page. */
  readonly nextCursor: string | null;
}

/** What checks and loads filters need. The clock is for relative dates. */
export type SearchContext = Pick<Context, 'searchDb' | 'now'> & {
  readonly chooseStrategy?: typeof chooseStrategy;
};

/** A search that was checked against its account, ready for {@link runSearch}. */
export interface CheckedSearch {
  readonly accountId: number;
  readonly unmasked: boolean;
  readonly filter: ResolvedFilter;
  readonly output: CheckedOutput;
}

/**
 * Checks a search against the attributes and audiences of its account. Adds all faults; use the
 * result only if there are none. Parts that the reader could not read are skipped, because their
 * faults have already been added. Throws `search_timeout`.
 */
export async function checkSearch(
  ctx: SearchContext,
  scope: SearchScope,
  body: PartlyRead<SearchContactsBody>,
  audience: PartlyRead<Audience> | undefined,
  faults: Faults,
): Promise<CheckedSearch> {
  return reportingTimeout(async () => {
    const { accountId, loaded, unmasked = false, activities = false } = scope;
    const registry = await registryOf(ctx, scope);
    const rights = { registry, unmasked, activities };
    const given = checkFilter(body, rights, faults);
    // A fault without a path means that the body is not an object, so it names no audience.
    const isRead = !faults.list.some(({ field }) => field === '');
    if (audience !== undefined && isRead) checkNamedAudience(audience, given, faults);
    const isNamedByFields = audience?.audience_id !== undefined;
    const filters = [...(isNamedByFields ? [audienceFilter(registry, audience)] : []), given];
    const output = checkOutput(body, accountId, rights, faults);
    const needsLists = output.fields.some(({ field }) => field.type === 'list');
    const options = { accountId, registry, now: ctx.now(), needsLists, loaded };
    const filter = await resolveFilters(ctx.searchDb, filters, options, faults);
    return { accountId, unmasked, filter, output };
  });
}

/**
 * Runs a search that has no faults. Throws `search_timeout`, and `answer_too_large` when the rows
 * of the page are too long for one response.
 */
export async function runSearch(
  ctx: Omit<SearchContext, 'now'>,
  { accountId, unmasked, filter, output }: CheckedSearch,
): Promise<SearchResult> {
  return reportingTimeout(async () => {
    const reader = createRowReader(output.sorting, output.fields, { ...filter, unmasked });
    const isWide = output.limit > rowsThatFit(output.fields);
    const columns = isWide ? noColumns : reader;
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

/**
 * Counts the matches of a filter exactly. `condition`: see {@link countMatches}. Throws
 * `search_timeout`.
 */
export async function countFilter(
  ctx: Pick<Context, 'searchDb'>,
  filter: ResolvedFilter,
  condition?: RawBuilder<unknown>,
): Promise<number> {
  return reportingTimeout(() => countMatches(ctx.searchDb, filter, condition));
}

/**
 * Checks a filter from an operator and loads its lists and segments. To store it in a segment, use
 * `toStoredFilter(result.filters[0])`.
 *
 * Throws an {@link ApiError} `invalid_request` with all faults, including those already in
 * `faults`.
 *
 * @param segmentId The segment of the filter. Null for a new segment, absent for other filters.
 */
export async function resolveFilter(
  ctx: SearchContext,
  scope: SearchScope,
  filter: PartlyRead<Filter>,
  segmentId?: number | null,
  faults = new Faults(),
): Promise<ResolvedFilter> {
  const registry = await registryOf(ctx, scope);
  const { unmasked = false, activities = false } = scope;
  const checked = checkFilter(filter, { registry, unmasked, activities }, faults);
  const options = {
    accountId: scope.accountId,
    registry,
    now: ctx.now(),
    ...(segmentId === undefined ? {} : { segmentId }),
  };
  const resolved = await resolveFilters(ctx.searchDb, [checked], options, faults);
  if (faults.count > 0) throw faultsError(faults);
  return resolved;
}

/**
 * Checks a filter that is the field `filter` of a body, like {@link resolveFilter}. Adds its faults
 * with the path of the field, and returns its stored form if there are none.
 */
export async function checkFilterField(
  ctx: SearchContext,
  scope: SearchScope,
  filter: PartlyRead<Filter>,
  faults: Faults,
): Promise<StoredFilter | undefined> {
  const own = new Faults();
  try {
    const resolved = await resolveFilter(ctx, scope, filter, undefined, own);
    return toStoredFilter(resolved.filters[0]!);
  } catch (error) {
    if (!(error instanceof ApiError) || error.faults.length === 0) throw error;
  }
  for (const { code, message, field } of own.list) {
    faults.add(code, message, field === '' ? 'filter' : `filter.${field}`);
  }
  return undefined;
}

/**
 * Makes the filter of an audience, for exports and counts.
 * Throws `invalid_request` with a fault at `audience_id[0]` when the audience does not exist.
 */
export async function resolveAudience(
  ctx: SearchContext,
  scope: SearchScope,
  audience: Audience,
): Promise<ResolvedFilter> {
  const registry = await registryOf(ctx, scope);
  const faults = new Faults();
  const filters = [audienceFilter(registry, audience)];
  const options = { accountId: scope.accountId, registry, now: ctx.now() };
  const resolved = await resolveFilters(ctx.searchDb, filters, options, faults);
  if (faults.count > 0) throw faultsError(faults);
  return resolved;
}

/** A stored choice of contacts: members of audiences, contacts that match a filter, or both. */
export interface StoredChoice {
  readonly audience?: Audience | undefined;
  readonly filter?: StoredFilter | undefined;
}

/**
 * Makes the filter of a stored choice. Without audience and filter, all contacts match. Masked
 * attributes and activities are allowed, because the choice was checked when it was stored. Throws
 * `invalid_request` when an audience or attribute was deleted.
 */
export async function resolveStoredChoice(
  ctx: SearchContext,
  accountId: number,
  { audience, filter }: StoredChoice,
): Promise<ResolvedFilter> {
  const registry = await registryOf(ctx, { accountId });
  const faults = new Faults();
  const filters = [
    ...(audience === undefined ? [] : [audienceFilter(registry, audience)]),
    ...(filter === undefined
      ? []
      : [checkFilter(fromStoredFilter(filter, registry), { registry, ...allFilterRights }, faults)]),
  ];
  const options = { accountId, registry, now: ctx.now() };
  const resolved = await resolveFilters(ctx.searchDb, filters, options, faults);
  if (faults.count > 0) throw faultsError(faults);
  return resolved;
}

async function registryOf(ctx: Pick<SearchContext, 'searchDb' | 'now'>, scope: SearchScope): Promise<Registry> {
  const registry = scope.registry ?? (await loadRegistry(ctx.searchDb, scope.accountId));
  return { ...registry, now: ctx.now() };
}

function audienceFilter(registry: Registry, { audience_type, audience_id }: PartlyRead<Audience>): CheckedFilter {
  const field = fixedField(registry, audience_type === 'list' ? 'list_id' : 'segment_id');
  // Without a type, the ids have no meaning. The reader has already added the fault.
  const ids = audience_type === undefined ? [] : (audience_id ?? []);
  const values = ids.map((id) => id ?? Number.NaN);
  const condition = { field, operation: 'equals', values, place: 'audience_id' } as const;
  return { connective: 'and', groups: [{ connective: 'and', conditions: [condition] }] };
}

/** Runs statements of a search. Throws `search_timeout` if the server cancelled one. */
export async function reportingTimeout<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (databaseFault(error) !== 'timeout') throw error;
    throw new ApiError('search_timeout', { params: { seconds: searchTimeout / 1000 }, cause: error });
  }
}
