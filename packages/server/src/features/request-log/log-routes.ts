import { failuresPerAnswer, maxInteger, type ListRequestsQuery, type RequestDetail } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import type { Context } from '#platform/context.ts';
import { actorOfApiKey } from '#platform/http/authentication/actor.ts';
import { preferredWait } from '#platform/http/operations/prefer-wait.ts';
import type { OperationRequest } from '#platform/http/operations/request.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { successOf } from '#platform/http/operations/success.ts';
import { invalidField, notFound } from '#platform/errors/api-error.ts';
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
    handle: ({ params: { account_id: accountId, request_id: requestId }, ...request }) =>
      getWhenFinished(context, { ...request, accountId, requestId }),
  });
}

/** Adds the route with which an API key gets one of the requests of its account. */
export function requestOfKeyRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'getAcceptedRequest', {
    async handle({ params: { request_id: requestId }, credential, ...request }) {
      const { accountId } = credential;
      const actor = actorOfApiKey(credential);
      const found = await getWhenFinished(context, { ...request, actor, accountId, requestId });
      const description = found.status === 'accepted' ? 'The request waits to be applied' : 'The request is finished';
      return { ...successOf(request, description), data: [found] };
    },
  });
}

/** A call that gets a request. */
interface GetRequest extends Pick<OperationRequest<'getRequest'>, 'query' | 'actor' | 'incoming' | 'setHeader'> {
  readonly accountId: number;
  /** The request to get. */
  readonly requestId: string;
  readonly disconnectSignal: () => AbortSignal;
}

/** Returns a request with its failures. If the caller prefers to wait, waits until it is finished. */
async function getWhenFinished(context: Context, call: GetRequest): Promise<RequestDetail> {
  const from = performance.now();
  const { accountId, incoming, query, actor } = call;
  if (query.failures_with_contacts === true) requirePermission(actor, 'contacts:read', accountId);
  const disconnect = call.disconnectSignal();
  const get = () => context.databaseTurns.run(accountId, disconnect, () => loadDetail(context, call));
  const found = await get();
  const seconds = preferredWait(incoming.headers);
  if (seconds === undefined) return found;
  using wait = context.requestWaits.begin(accountId, { until: from + seconds * 1000, disconnect });
  if (wait === undefined) return found;
  call.setHeader('preference-applied', `wait=${seconds}`);
  if (found.status !== 'accepted') return found;
  context.databaseTurns.end();
  const finished = await wait.find(call.requestId);
  incoming.waited = performance.now() - from;
  return finished === undefined ? found : get();
}

async function loadDetail(
  context: Context,
  { accountId, requestId, query, actor }: GetRequest,
): Promise<RequestDetail> {
  const { failures_code: code, failures_with_contacts: namesContacts } = query;
  const request = await findRequest(context.db, accountId, requestId);
  if (request === undefined) {
    throw notFound(`request ${requestId} in account ${accountId}`);
  }
  const failures = await pageOf(
    { limit: failuresPerAnswer, cursor: query.failures_cursor },
    {
      bounds: [maxInteger, maxInteger],
      cursorField: 'failures_cursor',
      load: (after, limit) => listFailures(context.db, accountId, requestId, { after, code }, limit),
      position: (row) => [row.item_index, row.ordinal],
      view: failureView,
    },
  );
  const { failed = 0, warnings = 0 } = request.counts ?? {};
  const codes = failed + warnings === 0 ? [] : await countFailures(context.db, accountId, requestId);
  if (namesContacts !== true) return requestDetailView(request, codes, failures);
  const data = await withContacts(context, actor, accountId, request, failures.data);
  return requestDetailView(request, codes, { ...failures, data });
}
