import {
  CreateSegmentBody,
  pageAnswer,
  PageQuery,
  Segment,
  SegmentCount,
  SegmentDetail,
  UpdateSegmentBody,
} from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { accountParams } from '#features/accounts/account-routes.ts';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import { serveAdmin } from '#platform/http/operations/admin.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { maxInteger, pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { audienceParams } from './audience-params.ts';
import { listSegments } from './segment-store.ts';
import { segmentView } from './segment-view.ts';
import {
  changeSegment,
  checkFaultyFilter,
  countSegment,
  createSegment,
  deleteSegment,
  requireSegment,
} from './segments.ts';

const tag = 'Segments';

const exampleSegment = {
  name: 'Newsletter readers in Pune',
  filtering_criteria: [
    {
      condition_operator: 'and',
      condition_details: [
        { field: 'CITY', field_category: 'attribute', operation: 'equals', value: ['Pune'] },
        { field: 'list_id', field_category: 'audience', operation: 'equals', value: [1] },
      ],
    },
  ],
};

/** Operations on segments: saved filters that are evaluated when they are used (decisions §1, §9). */
export function segmentRoutes(app: FastifyInstance, { context }: Service): void {
  serveAdmin(app, {
    method: 'POST',
    path: '/accounts/:account_id/segments',
    operationId: 'createSegment',
    tag,
    summary: 'Create a segment',
    description:
      'Saves a filter of contact search under a number. It is checked now and evaluated when it is used: attributes, lists and segments that it names must exist. A segment may use other segments, at most 5 deep and not itself. An empty filter has all contacts.',
    params: accountParams,
    body: CreateSegmentBody,
    examples: { attribute: { summary: 'By attribute and list', value: exampleSegment } },
    status: 201,
    answer: Segment,
    findMore: ({ params, body }, faults) => checkFaultyFilter(context, params.account_id, null, body, faults),
    handle: async ({ params, body }) => segmentView(await createSegment(context, params.account_id, body)),
  });

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/segments',
    operationId: 'listSegments',
    tag,
    summary: 'List the segments',
    description: 'Lists the segments of the account in order of their numbers, with their filters.',
    params: accountParams,
    query: PageQuery,
    answer: pageAnswer('Segment'),
    async handle({ params, query }) {
      await requireAccount(context.db, params.account_id);
      const registry = await loadRegistry(context.db, params.account_id);
      return pageOf(query, {
        bounds: [maxInteger],
        load: (after, limit) => listSegments(context.db, params.account_id, after?.[0] ?? 0, limit),
        position: (row) => [row.audience_id],
        view: (segment) => segmentView({ segment, registry }),
      });
    },
  });

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/segments/:audience_id',
    operationId: 'getSegment',
    tag,
    summary: 'Get a segment',
    description:
      'Answers one segment with its filter, in which attributes have the names that they have now, and the number of its contacts.',
    params: audienceParams,
    answer: SegmentDetail,
    async handle({ params: { account_id: accountId, audience_id: audienceId }, departure }) {
      const segment = await requireSegment(context.db, accountId, audienceId);
      const registry = await loadRegistry(context.db, accountId);
      // A segment is shown also when it cannot be counted; the operation that counts it says why.
      const count = await countSegment(context, accountId, audienceId, departure()).catch(nullOfRefusal);
      return { ...segmentView({ segment, registry }), contact_count: count };
    },
  });

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/segments/:audience_id/count',
    operationId: 'countSegment',
    tag,
    summary: 'Count a segment',
    description: 'Evaluates the segment and answers the exact number of contacts in it.',
    params: audienceParams,
    answer: SegmentCount,
    errors: ['conflict', 'too_many_searches', 'search_timeout'],
    handle: async ({ params, departure }) => ({
      audience_id: params.audience_id,
      count: await countSegment(context, params.account_id, params.audience_id, departure()),
    }),
  });

  serveAdmin(app, {
    method: 'PATCH',
    path: '/accounts/:account_id/segments/:audience_id',
    operationId: 'updateSegment',
    tag,
    summary: 'Change a segment',
    description:
      'Changes the given fields. `filtering_criteria` replaces the old filter as a whole, its operator included. A change that would nest the segments that use this one more than 5 deep is refused.',
    params: audienceParams,
    body: UpdateSegmentBody,
    examples: { name: { summary: 'Another name', value: { name: 'Adults in Pune or Mumbai' } } },
    answer: Segment,
    errors: ['conflict'],
    findMore: ({ params, body }, faults) =>
      checkFaultyFilter(context, params.account_id, params.audience_id, body, faults),
    handle: async ({ params, body }) =>
      segmentView(await changeSegment(context, params.account_id, params.audience_id, body)),
  });

  serveAdmin(app, {
    method: 'DELETE',
    path: '/accounts/:account_id/segments/:audience_id',
    operationId: 'deleteSegment',
    tag,
    summary: 'Delete a segment',
    description: 'Deletes a segment; its number is not given again. A segment that another one uses is refused.',
    params: audienceParams,
    status: 204,
    errors: ['conflict'],
    async handle({ params }) {
      await deleteSegment(context, params.account_id, params.audience_id);
      return undefined;
    },
  });
}

function nullOfRefusal(error: unknown): null {
  if (error instanceof ApiError) return null;
  throw error;
}
