import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { newestPageOf } from '#platform/http/paging/uuid-position.ts';
import { deliveryWithAttempts, replayDelivery } from './deliveries.ts';
import { listDeliveries } from './store/delivery-store.ts';
import { deliveryDetailView, deliveryView } from './delivery-view.ts';

/** The operator's view of the callbacks of an account. */
export function deliveryRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'listDeliveries', {
    async handle({ params: { account_id }, query: { status, source, source_id: sourceId, ...page }, actor }) {
      await requireAccount(context.db, account_id);
      return newestPageOf(page, {
        load: (before, limit) => listDeliveries(context.db, account_id, { status, source, sourceId, before }, limit),
        idOf: (row) => row.delivery_id,
        view: (row) => deliveryView(row, actor.can('unmasked', account_id)),
      });
    },
  });

  serve(app, 'getDelivery', {
    async handle({ params: { account_id, delivery_id }, actor }) {
      const { delivery, attempts } = await deliveryWithAttempts(context, account_id, delivery_id);
      return deliveryDetailView(delivery, attempts, actor.can('unmasked', account_id));
    },
  });

  serve(app, 'replayDelivery', {
    async handle({ params: { account_id, delivery_id }, actor }) {
      const row = await replayDelivery(context, account_id, delivery_id, actor.author);
      return deliveryView(row, actor.can('unmasked', account_id));
    },
  });
}
