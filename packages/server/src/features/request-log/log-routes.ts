import { failuresPerAnswer, maxInteger } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { findRequest, listFailures, listRequests } from './log-store.ts';
import { failureView, requestDetailView, requestView } from './log-view.ts';

/** Adds the operator routes that list accepted requests and show their results. */
export function requestLogRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'listRequests', {
    async handle({ params, query }) {
      await requireAccount(context.db, params.account_id);
      return pageOf(query, {
        bounds: [Number.MAX_SAFE_INTEGER],
        load: (after, limit) =>
          listRequests(
            context.db,
            params.account_id,
            { status: query.status, outcome: query.outcome, before: after?.[0] },
            limit,
          ),
        position: (row) => [row.seq],
        view: requestView,
      });
    },
  });

  serve(app, 'getRequest', {
    async handle({ params: { account_id, request_id }, query }) {
      const request = await findRequest(context.db, account_id, request_id);
      if (request === undefined) {
        throw new ApiError('not_found', { params: { what: `request ${request_id} in account ${account_id}` } });
      }
      const failures = await pageOf(
        { limit: failuresPerAnswer, cursor: query.failures_cursor },
        {
          bounds: [maxInteger, maxInteger],
          cursorField: 'failures_cursor',
          load: (after, limit) => listFailures(context.db, account_id, request_id, after, limit),
          position: (row) => [row.item_index, row.ordinal],
          view: failureView,
        },
      );
      return requestDetailView(request, failures);
    },
  });
}
