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
import { audienceOrder } from './audience-page.ts';
import { loadAudienceUses } from './audience-uses.ts';
import { listSegments } from './segment-store.ts';
import { segmentView } from './segment-view.ts';
import {
  changeSegment,
  checkFaultyFilter,
  countSegment,
  createSegment,
  deleteSegment,
  requireSegment,
  type SegmentWithRegistry,
} from './segments.ts';

/** Operations on segments, the stored filters that are evaluated when they are used. */
export function segmentRoutes(app: FastifyInstance, { context }: Service): void {
  async function view(accountId: number, found: SegmentWithRegistry): Promise<Segment> {
    const uses = await loadAudienceUses(context, context.db, accountId);
    return segmentView(found, uses.get(found.segment.audience_id));
  }

  serve(app, 'createSegment', {
    checkFaulty: ({ params, body, actor }, faults) =>
      checkFaultyFilter(context, { ...sender(actor, params), segmentId: null }, body, faults),
    handle: async ({ params, body, actor }) =>
      segmentView(await createSegment(context, params.account_id, body, sender(actor, params))),
  });

  serve(app, 'listSegments', {
    async handle({ params, query }) {
      await requireAccount(context.db, params.account_id);
      const registry = await loadRegistry(context.db, params.account_id);
      const uses = await loadAudienceUses(context, context.db, params.account_id);
      return pageOf(query, {
        ...audienceOrder(query),
        load: (after, limit) => listSegments(context.db, params.account_id, query, after, limit),
        view: (segment) => segmentView({ segment, registry }, uses.get(segment.audience_id)),
      });
    },
  });

  serve(app, 'getSegment', {
    async handle({ params: { account_id: accountId, audience_id: audienceId }, disconnectSignal, setHeader }) {
      const segment = await requireSegment(context.db, accountId, audienceId);
      const registry = await loadRegistry(context.db, accountId);
      // Return the segment even if it cannot be counted. `countSegment` reports the reason.
      const count = await countSegment(context, accountId, audienceId, disconnectSignal()).catch(nullOfRefusal);
      return { ...tagged(setHeader, await view(accountId, { segment, registry })), contact_count: count };
    },
  });

  serve(app, 'countSegment', {
    handle: async ({ params, disconnectSignal }) => ({
      audience_id: params.audience_id,
      count: await countSegment(context, params.account_id, params.audience_id, disconnectSignal()),
    }),
  });

  serve(app, 'updateSegment', {
    checkFaulty: ({ params, body, actor }, faults) =>
      checkFaultyFilter(context, { ...sender(actor, params), segmentId: params.audience_id }, body, faults),
    handle: ({ params, body, actor, ...request }) => {
      const { account_id: accountId, audience_id: id } = params;
      return changeTagged(request, {
        what: `Segment ${id}`,
        change: async (ifMatch) =>
          view(accountId, await changeSegment(context, accountId, id, body, sender(actor, params), ifMatch)),
        load: async () =>
          view(accountId, {
            segment: await requireSegment(context.db, accountId, id),
            registry: await loadRegistry(context.db, accountId),
          }),
      });
    },
  });

  serve(app, 'deleteSegment', {
    async handle({ params, actor }) {
      await deleteSegment(context, params.account_id, params.audience_id, actor.author);
      return undefined;
    },
  });
}

/** Describes the caller of an operation on a segment. */
function sender(actor: Actor, { account_id: accountId }: { readonly account_id: number }) {
  return { accountId, author: actor.author, unmasked: actor.can('unmasked', accountId) };
}

function nullOfRefusal(error: unknown): null {
  if (error instanceof ApiError) return null;
  throw error;
}
