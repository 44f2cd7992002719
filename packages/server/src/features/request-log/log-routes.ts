import { failuresPerAnswer, GetRequestQuery, ListRequestsQuery, pageAnswer, RequestDetail } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { accountParams } from '#features/accounts/account-routes.ts';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { serveAdmin } from '#platform/http/operations/admin.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { maxInteger, pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { findRequest, listFailures, listRequests } from './log-store.ts';
import { failureView, requestDetailView, requestView } from './log-view.ts';

const tag = 'Requests';

const requestParams = Type.Object({
  ...accountParams.properties,
  request_id: Type.String({ format: 'uuid' }),
});

/** The operator's view of accepted requests (decisions §9); the V5 interface itself never shows their results. */
export function requestLogRoutes(app: FastifyInstance, { context }: Service): void {
  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/requests',
    operationId: 'listRequests',
    tag,
    summary: 'List requests',
    description:
      'Lists the accepted requests of the account, newest first. `outcome=failed` finds those of which items failed. Finished requests stay for `ROSTER_REQUEST_RETENTION_DAYS`.',
    params: accountParams,
    query: ListRequestsQuery,
    answer: pageAnswer('RequestSummary'),
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

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/requests/:request_id',
    operationId: 'getRequest',
    tag,
    summary: 'Get a request',
    description: `Answers what became of one request, with its first ${failuresPerAnswer} failures; \`failures_cursor\` goes on after them.`,
    params: requestParams,
    query: GetRequestQuery,
    answer: RequestDetail,
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
