import type { Segment } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { changeTagged, tagged } from '#platform/http/operations/entity-tag.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { filterRightsOf } from '#features/search/rights/filter-rights.ts';
import { audienceOrder } from './audience-page.ts';
import { loadUsesView } from './audience-uses.ts';
import { loadLive } from '#features/live-segments/live-segments.ts';
import { segmentChanges } from '#features/live-segments/list-changes.ts';
import { segmentGrowth } from './growth/segment-growth.ts';
import { listSegments } from './segment-store.ts';
import { segmentView } from './segment-view.ts';
import {
  changeSegment,
  checkFaultyFilter,
  countSegment,
  createSegment,
  deleteSegment,
  liveOf,
  requireSegment,
  type SegmentWithRegistry,
} from './segments.ts';

/** Operations on segments, the stored filters that are evaluated when they are used. */
export function segmentRoutes(app: FastifyInstance, { context }: Service): void {
  async function view(accountId: number, actor: Actor, found: SegmentWithRegistry): Promise<Segment> {
    const uses = await loadUsesView(context, accountId, actor);
    return segmentView(found, filterRightsOf(actor, accountId), uses(found.segment.audience_id));
  }

  serve(app, 'createSegment', {
    checkFaulty: ({ params, body, actor }, faults) =>
      checkFaultyFilter(context, { ...sender(actor, params), segmentId: null }, body, faults),
    async handle({ params, body, actor }) {
      const caller = sender(actor, params);
      return segmentView(await createSegment(context, params.account_id, body, caller), caller.rights);
    },
  });

  serve(app, 'listSegments', {
    async handle({ params, query, actor }) {
      await requireAccount(context.db, params.account_id);
      const registry = await loadRegistry(context.db, params.account_id);
      const uses = await loadUsesView(context, params.account_id, actor);
      const live = await loadLive(context.db, params.account_id, context.now());
      const { rights } = sender(actor, params);
      return pageOf(query, {
        ...audienceOrder(query),
        load: (after, limit) => listSegments(context.db, params.account_id, query, after, limit),
        view: (segment) => {
          const id = segment.audience_id;
          return segmentView({ segment, registry, live: live.get(id) ?? null }, rights, uses(id));
        },
      });
    },
  });

  serve(app, 'getSegment', {
    async handle({ params: { account_id: accountId, audience_id: audienceId }, actor, disconnectSignal, setHeader }) {
      const segment = await requireSegment(context.db, accountId, audienceId);
      const registry = await loadRegistry(context.db, accountId);
      const live = await liveOf(context.db, context, accountId, audienceId);
      // Return the segment even if it cannot be counted. `countSegment` reports the reason.
      const count = await countSegment(context, accountId, audienceId, disconnectSignal()).catch(nullOfRefusal);
      return { ...tagged(setHeader, await view(accountId, actor, { segment, registry, live })), contact_count: count };
    },
  });

  serve(app, 'countSegment', {
    handle: async ({ params, disconnectSignal }) => ({
      audience_id: params.audience_id,
      count: await countSegment(context, params.account_id, params.audience_id, disconnectSignal()),
    }),
  });

  serve(app, 'getSegmentGrowth', {
    async handle({ params: { account_id: accountId, audience_id: audienceId }, query }) {
      await requireSegment(context.db, accountId, audienceId);
      return segmentGrowth(context.db, { accountId, audienceId, now: context.now(), from: query.from });
    },
  });

  serve(app, 'listSegmentChanges', {
    async handle({ params: { account_id: accountId, audience_id: audienceId }, query }) {
      await requireSegment(context.db, accountId, audienceId);
      return segmentChanges(context.db, { accountId, audienceId }, query);
    },
  });

  serve(app, 'updateSegment', {
    checkFaulty: ({ params, body, actor }, faults) =>
      checkFaultyFilter(context, { ...sender(actor, params), segmentId: params.audience_id }, body, faults),
    handle: ({ params, body, actor, ...request }) => {
      const { account_id: accountId, audience_id: id } = params;
      return changeTagged(request, {
        what: `Segment ${id}`,
        change: async (ifMatch) =>
          view(accountId, actor, await changeSegment(context, accountId, id, body, sender(actor, params), ifMatch)),
        load: async () =>
          view(accountId, actor, {
            segment: await requireSegment(context.db, accountId, id),
            registry: await loadRegistry(context.db, accountId),
            live: await liveOf(context.db, context, accountId, id),
          }),
      });
    },
  });

  serve(app, 'deleteSegment', {
    async handle({ params, actor }) {
      await deleteSegment(context, params.account_id, params.audience_id, actor);
      return undefined;
    },
  });
}

/** Describes the caller of an operation on a segment. */
function sender(actor: Actor, { account_id: accountId }: { readonly account_id: number }) {
  return { accountId, author: actor.author, rights: filterRightsOf(actor, accountId) };
}

function nullOfRefusal(error: unknown): null {
  if (error instanceof ApiError) return null;
  throw error;
}
