import { Delivery, DeliveryDetail, ListDeliveriesQuery, pageAnswer } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { accountParams } from '#features/accounts/account-routes.ts';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { serveAdmin } from '#platform/http/operations/admin.ts';
import type { Service } from '#platform/http/server/service.ts';
import { newestPageOf } from '#platform/http/paging/uuid-position.ts';
import { deliveryWithAttempts, replayDelivery } from './deliveries.ts';
import { listDeliveries } from './store/delivery-store.ts';
import { deliveryExamples } from './examples.ts';
import { deliveryDetailView, deliveryView } from './delivery-view.ts';

const tag = 'Deliveries';

const deliveryParams = Type.Object({
  ...accountParams.properties,
  delivery_id: Type.String({ format: 'uuid' }),
});

/** The operator's view of the callbacks of an account (decisions §9). */
export function deliveryRoutes(app: FastifyInstance, { context }: Service): void {
  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/deliveries',
    operationId: 'listDeliveries',
    tag,
    summary: 'List deliveries',
    description:
      'Lists the callbacks of the account, newest first. Finished ones stay for `ROSTER_DELIVERY_RETENTION_DAYS`.',
    params: accountParams,
    query: ListDeliveriesQuery,
    answer: pageAnswer('Delivery'),
    answerExamples: deliveryExamples.list,
    async handle({ params: { account_id }, query: { status, source, source_id: sourceId, ...page } }) {
      await requireAccount(context.db, account_id);
      return newestPageOf(page, {
        load: (before, limit) => listDeliveries(context.db, account_id, { status, source, sourceId, before }, limit),
        idOf: (row) => row.delivery_id,
        view: deliveryView,
      });
    },
  });

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/deliveries/:delivery_id',
    operationId: 'getDelivery',
    tag,
    summary: 'Get a delivery',
    description:
      'Returns one callback with its body and every attempt to send it: when, how long, and the status of the answer or what went wrong. Of the headers that the caller added only the names are shown.',
    params: deliveryParams,
    answer: DeliveryDetail,
    answerExamples: deliveryExamples.detail,
    async handle({ params: { account_id, delivery_id } }) {
      const { delivery, attempts } = await deliveryWithAttempts(context, account_id, delivery_id);
      return deliveryDetailView(delivery, attempts);
    },
  });

  serveAdmin(app, {
    method: 'POST',
    path: '/accounts/:account_id/deliveries/:delivery_id/replay',
    operationId: 'replayDelivery',
    tag,
    summary: 'Send a delivery again',
    description:
      'Sends a finished callback again, delivered or failed: the same body to the same URL, with the same `X-Roster-Delivery` and a new signature. It is tried for another 24 hours.',
    params: deliveryParams,
    answer: Delivery,
    answerExamples: deliveryExamples.replay,
    errors: ['conflict'],
    handle: async ({ params: { account_id, delivery_id } }) =>
      deliveryView(await replayDelivery(context, account_id, delivery_id)),
  });
}
