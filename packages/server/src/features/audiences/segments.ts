import type { Actor } from '#platform/http/authentication/actor.ts';
import { changeTime, requireUnchanged } from '#platform/http/operations/entity-tag.ts';
import type { CreateSegmentBody, Faults, Filter, LiveSegment, PartlyRead, UpdateSegmentBody } from '@roster/contract';
import { sql } from 'kysely';
import { findAccount } from '#features/accounts/store/account-store.ts';
import { requireLockedAccount, unknownAccount } from '#features/accounts/store/require-account.ts';
import { changedFields, writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import { loadRegistry, type Registry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError, notFound, conflict } from '#platform/errors/api-error.ts';
import { segmentDepth, totalActivityConditions, totalConditions } from '#features/search/filter/resolve.ts';
import { countFilter, resolveAudience, resolveFilter, type Audience } from '#features/search/search.ts';
import { requireFilterRoom, type StoredFilters } from '#features/search/filter-room.ts';
import { allFilterRights, type FilterRights } from '#features/search/rights/filter-rights.ts';
import { fromStoredFilter, toStoredFilter, type StoredFilter } from '#features/search/filter/stored-filter.ts';
import { loadLive, setLive } from '#features/live-segments/live-segments.ts';
import { deleteSegmentCounts } from './growth/segment-count-store.ts';
import { deleteAudience, requireRoomForAudience, takeAudienceId } from './audience-store.ts';
import { findSegment, insertSegment, loadSegmentFilters, updateSegment, type SegmentRow } from './segment-store.ts';
import { refuseUsedAudience } from './audience-uses.ts';
import { segmentNames, segmentsUsing } from './segment-usage.ts';

/** A segment, with the registry that has the names of its attributes. */
export interface SegmentWithRegistry {
  readonly segment: SegmentRow;
  readonly registry: Registry;
  /** Null: the segment is not live. */
  readonly live: LiveSegment | null;
}

/** The caller who creates or changes a segment. */
export interface SegmentAuthor {
  readonly author: Author;
  /** What the caller may use in a filter. Hidden values could be guessed from counts. */
  readonly rights: FilterRights;
}

/** Identifies a filter with faults: its account, its segment unless it is new, and its caller. */
interface FaultyFilter {
  readonly accountId: number;
  readonly segmentId: number | null;
  readonly rights: FilterRights;
}

/**
 * Creates a segment. Throws `not_found`, `invalid_request` with all faults of the filter, and
 * `conflict` when the segments, their filters or the live segments of the account are too many.
 */
export async function createSegment(
  context: Context,
  accountId: number,
  { name, live = false, ...filter }: CreateSegmentBody,
  { author, rights }: SegmentAuthor,
): Promise<SegmentWithRegistry> {
  return context.db.transaction().execute(async (trx) => {
    const audienceId = await takeAudienceId(trx, accountId);
    if (audienceId === undefined) throw unknownAccount(accountId);
    const registry = await loadRegistry(trx, accountId);
    const stored = await checkSegmentFilter(
      { searchDb: trx, now: context.now },
      { accountId, registry, ...rights },
      filter,
      null,
    );
    await requireRoomForAudience(trx, accountId, 'segment');
    const segment = await insertSegment(trx, accountId, audienceId, { name, filter: stored }, context.now());
    await requireFilterRoom(trx, filtersOf(accountId));
    if (live) await setLive(trx, { accountId, audienceId }, true, context.now());
    await writeAudit(trx, context, {
      accountId,
      actor: author,
      action: 'segment.create',
      subject: `segment:${audienceId}`,
      details: { name, ...(live ? { live } : {}) },
    });
    return { segment, registry, live: await liveOf(trx, context, accountId, audienceId) };
  });
}

/**
 * Changes a segment. A new filter replaces the old filter completely. Throws:
 * - `not_found`
 * - `invalid_request` with all faults of the filter
 * - `conflict` when the change would break another segment that uses this one, or the account has too
 *   many live segments or filters
 */
export async function changeSegment(
  context: Context,
  accountId: number,
  audienceId: number,
  body: UpdateSegmentBody,
  { author, rights }: SegmentAuthor,
  ifMatch?: number,
): Promise<SegmentWithRegistry> {
  return context.db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, accountId);
    const before = await requireSegment(trx, accountId, audienceId);
    requireUnchanged(before, ifMatch);
    const registry = await loadRegistry(trx, accountId);
    const filter = changedFilter(before.filter, registry, body);
    const stored =
      filter === undefined
        ? before.filter
        : await checkSegmentFilter(
            { searchDb: trx, now: context.now },
            { accountId, registry, ...rights },
            filter,
            audienceId,
          );
    const fields = { name: body.name ?? before.name, filter: stored };
    const liveBefore = await liveOf(trx, context, accountId, audienceId);
    const live = body.live ?? liveBefore !== null;
    const isLiveChanged = live !== (liveBefore !== null);
    if (filter === undefined && fields.name === before.name && !isLiveChanged)
      return { segment: before, registry, live: liveBefore };
    const broken =
      filter === undefined
        ? undefined
        : await brokenUsers({ searchDb: trx, now: context.now }, accountId, registry, audienceId);
    const segment = await updateSegment(trx, accountId, audienceId, fields, changeTime(before, context.now()));
    // A shorter filter always fits, also if there were too many before this limit.
    if (JSON.stringify(stored).length > JSON.stringify(before.filter).length)
      await requireFilterRoom(trx, filtersOf(accountId));
    if (broken !== undefined)
      await refuseToBreakUsers({ searchDb: trx, now: context.now }, accountId, registry, audienceId, broken);
    await writeAudit(trx, context, {
      accountId,
      actor: author,
      action: 'segment.update',
      subject: `segment:${audienceId}`,
      // Do not log the filter itself, because it can contain personal data.
      details: {
        changes: changedFields({ name: before.name, live: liveBefore !== null }, { name: fields.name, live }),
        filter_changed: filter !== undefined,
      },
    });
    // Last, because it adds an event.
    if (isLiveChanged) await setLive(trx, { accountId, audienceId }, live, context.now());
    return { segment, registry, live: await liveOf(trx, context, accountId, audienceId) };
  });
}

/**
 * Checks the filter of a request that already has faults, so that the caller gets all faults at
 * once. Throws `invalid_request` with all of them. `segmentId` is null for a new segment.
 */
export async function checkFaultyFilter(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { accountId, segmentId, rights }: FaultyFilter,
  filter: PartlyRead<Filter>,
  faults: Faults,
): Promise<void> {
  // Without an account, the filter cannot be checked.
  if ((await findAccount(db, accountId)) === undefined) return;
  await resolveFilter({ searchDb: db, now }, { accountId, ...rights }, filter, segmentId, faults);
}

/** Deletes a segment. Throws `not_found`, and `conflict` if something that needs it uses it. */
export async function deleteSegment(
  context: Context,
  accountId: number,
  audienceId: number,
  actor: Actor,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, accountId);
    const { name } = await requireSegment(trx, accountId, audienceId);
    await refuseUsedAudience(context, trx, accountId, 'segment', audienceId, actor);
    await deleteAudience(trx, accountId, audienceId);
    await deleteSegmentCounts(trx, accountId, audienceId);
    await writeAudit(trx, context, {
      accountId,
      actor: actor.author,
      action: 'segment.delete',
      subject: `segment:${audienceId}`,
      details: { name },
    });
    // Last, because it adds an event.
    await setLive(trx, { accountId, audienceId }, false, context.now());
  });
}

/** Returns how a segment follows changes; null when it is not live. */
export async function liveOf(
  db: Database,
  { now }: Pick<Context, 'now'>,
  accountId: number,
  audienceId: number,
): Promise<LiveSegment | null> {
  return (await loadLive(db, accountId, now())).get(audienceId) ?? null;
}

/** Loads a segment. Throws `not_found` when it does not exist, or is a list. */
export async function requireSegment(db: Database, accountId: number, audienceId: number): Promise<SegmentRow> {
  const segment = await findSegment(db, accountId, audienceId);
  if (segment === undefined) {
    throw notFound(`segment ${audienceId} in account ${accountId}`);
  }
  return segment;
}

/**
 * Counts the contacts that match a segment now. Aborting the signal cancels the count. Throws:
 * - `not_found`
 * - `conflict` when the filter no longer fits the account
 * - the errors of a search that waited or ran too long; see `SearchQueue.run`
 */
export async function countSegment(
  context: Context,
  accountId: number,
  audienceId: number,
  signal: AbortSignal,
): Promise<number> {
  await requireSegment(context.db, accountId, audienceId);
  const audience: Audience = { audience_type: 'segment', audience_id: [audienceId] };
  const scope = { accountId };
  return context.searches.run(accountId, signal, async (searchDb) => {
    const filter = await resolveAudience({ searchDb, now: context.now }, scope, audience).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'invalid_request') throw error;
      const reason = `The segment cannot be evaluated. ${error.faults.map(({ message }) => message).join(' ')}`;
      throw new ApiError('conflict', { params: { reason }, cause: error });
    });
    return countFilter({ searchDb }, filter);
  });
}

/** Returns the new filter of a change; undefined when the change does not concern the filter. */
function changedFilter(stored: StoredFilter, registry: Registry, body: UpdateSegmentBody): Filter | undefined {
  const { filtering_criteria, filtering_criteria_operator } = body;
  // New groups never inherit the old operator, because that could widen the audience.
  if (filtering_criteria !== undefined)
    return { filtering_criteria, ...(filtering_criteria_operator && { filtering_criteria_operator }) };
  if (filtering_criteria_operator === undefined) return undefined;
  return { ...fromStoredFilter(stored, registry), filtering_criteria_operator };
}

/**
 * Checks the filter of a segment in the transaction that writes it. The caller has locked the
 * account. `segmentId` is null for a new segment.
 */
async function checkSegmentFilter(
  ctx: Pick<Context, 'searchDb' | 'now'>,
  scope: { readonly accountId: number; readonly registry: Registry } & FilterRights,
  filter: Filter,
  segmentId: number | null,
): Promise<StoredFilter> {
  const resolved = await resolveFilter(ctx, scope, filter, segmentId);
  return toStoredFilter(resolved.filters[0]!);
}

/** The filters of the segments of an account. */
const filtersOf = (accountId: number): StoredFilters => ({
  of: 'segments',
  query: sql`select filter from audiences where account_id = ${accountId} and audience_type = 'segment'`,
  advice: 'Delete a segment, or shorten a filter.',
});

/** Returns the segments that use a segment and cannot be evaluated in this transaction. */
async function brokenUsers(
  ctx: Pick<Context, 'searchDb' | 'now'>,
  accountId: number,
  registry: Registry,
  segmentId: number,
): Promise<Set<number>> {
  const filters = await loadSegmentFilters(ctx.searchDb, accountId);
  const broken = new Set<number>();
  for (const user of segmentsUsing(filters, segmentId)) {
    try {
      const scope = { accountId, registry, ...allFilterRights };
      await checkSegmentFilter(ctx, scope, fromStoredFilter(filters.get(user)!, registry), user);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      broken.add(user);
    }
  }
  return broken;
}

/**
 * Throws `conflict` when a change has broken segments that use this segment. A larger filter passes
 * its own checks, but can make those segments too deep or too large.
 */
async function refuseToBreakUsers(
  ctx: Pick<Context, 'searchDb' | 'now'>,
  accountId: number,
  registry: Registry,
  segmentId: number,
  brokenBefore: ReadonlySet<number>,
): Promise<void> {
  const users = [...(await brokenUsers(ctx, accountId, registry, segmentId))].filter((id) => !brokenBefore.has(id));
  if (users.length === 0) return;
  throw conflict(
    `With this filter, the ${segmentNames(users)} would have more than ${segmentDepth} levels of segments, ${totalConditions} conditions, or ${totalActivityConditions} conditions on activities.`,
  );
}
