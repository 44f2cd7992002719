import { failuresPerAnswer, maxInteger, type ListRequestsQuery } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { ApiError, invalidField } from '#platform/errors/api-error.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { requirePermission } from '#platform/http/authentication/require-actor.ts';
import { countFailures, findRequest, listFailures, listRequests, type RequestFilter } from './log-store.ts';
import { withContacts } from './named-contacts.ts';
import { failureView, requestDetailView, requestView } from './log-view.ts';

/**
 * Returns the filter of a query. Throws `invalid_request` when `outcome` and `has_failures` exclude
 * each other.
 */
function filterOf({ status, outcome, has_failures, operation, from, before }: ListRequestsQuery): RequestFilter {
  const given = has_failures === undefined ? undefined : has_failures ? 'failed' : 'succeeded';
  if (given !== undefined && outcome !== undefined && outcome !== given) {
    throw invalidField('not_supported', 'has_failures', 'must not be sent together with another outcome');
  }
  return {
    status,
    outcome: outcome ?? given,
    operation,
    from: from === undefined ? undefined : new Date(from),
    until: before === undefined ? undefined : new Date(before),
  };
}

/** Adds the operator routes that list accepted requests and show their results. */
export function requestLogRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'listRequests', {
    async handle({ params, query }) {
      await requireAccount(context.db, params.account_id);
      return pageOf(query, {
        bounds: [Number.MAX_SAFE_INTEGER],
        load: (after, limit) =>
          listRequests(context.db, params.account_id, { ...filterOf(query), before: after?.[0] }, limit),
        position: (row) => [row.seq],
        view: requestView,
      });
    },
  });

  serve(app, 'getRequest', {
    async handle({ params: { account_id, request_id }, query, actor }) {
      const { failures_code: code, failures_with_contacts: namesContacts } = query;
      if (namesContacts === true) requirePermission(actor, 'contacts:read', account_id);
      const request = await findRequest(context.db, account_id, request_id);
      if (request === undefined) {
        throw new ApiError('not_found', { params: { what: `request ${request_id} in account ${account_id}` } });
      }
      const failures = await pageOf(
        { limit: failuresPerAnswer, cursor: query.failures_cursor },
        {
          bounds: [maxInteger, maxInteger],
          cursorField: 'failures_cursor',
          load: (after, limit) => listFailures(context.db, account_id, request_id, { after, code }, limit),
          position: (row) => [row.item_index, row.ordinal],
          view: failureView,
        },
      );
      const { failed = 0, warnings = 0 } = request.counts ?? {};
      const codes = failed + warnings === 0 ? [] : await countFailures(context.db, account_id, request_id);
      if (namesContacts !== true) return requestDetailView(request, codes, failures);
      const data = await withContacts(context, actor, account_id, request, failures.data);
      return requestDetailView(request, codes, { ...failures, data });
    },
  });
}
