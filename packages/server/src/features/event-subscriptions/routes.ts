import type { EventSubscription } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { filterRightsOf } from '#features/search/rights/filter-rights.ts';
import type { Context } from '#platform/context.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { requireVersion, versionTag } from '#platform/http/operations/entity-tag.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { newestPageOf } from '#platform/http/paging/uuid-position.ts';
import type { Service } from '#platform/http/server/service.ts';
import { eventDeliveryView, subscriptionViews } from './rules/subscription-view.ts';
import {
  addSubscriptionFaults,
  createSubscription,
  moveSubscription,
  removeSubscription,
  replayDeadLetter,
  rotateSecret,
  updateSubscription,
  type Requester,
} from './rules/subscriptions.ts';
import { sendTestEvent } from './sending/test-event.ts';
import { listEventDeliveries } from './store/event-delivery-store.ts';
import { listSubscriptions, requireSubscription, type SubscriptionRow } from './store/subscription-store.ts';

/** Registers the operations on event subscriptions. */
export function subscriptionRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'createEventSubscription', {
    checkFaulty: ({ params: { account_id }, body, actor }, faults) =>
      addSubscriptionFaults(context, account_id, body, requesterOf(actor, account_id), faults),
    async handle({ params: { account_id: accountId }, body, actor, setHeader }) {
      const row = await createSubscription(context, accountId, body, requesterOf(actor, accountId));
      setHeader('etag', versionTag(row.version));
      return { ...(await viewOf(context, row, actor)), secret: row.secret };
    },
  });

  serve(app, 'listEventSubscriptions', {
    async handle({ params: { account_id: accountId }, query, actor }) {
      await requireAccount(context.db, accountId);
      const page = await newestPageOf(query, {
        load: (before, limit) => listSubscriptions(context.db, accountId, before, limit),
        idOf: (row) => row.subscription_id,
        view: (row) => row,
      });
      const rights = filterRightsOf(actor, accountId);
      return { ...page, data: await subscriptionViews(context, accountId, page.data, rights) };
    },
  });

  serve(app, 'getEventSubscription', {
    async handle({ params: { account_id: accountId, subscription_id: subscriptionId }, actor, setHeader }) {
      const row = await requireSubscription(context.db, { accountId, subscriptionId });
      setHeader('etag', versionTag(row.version));
      return viewOf(context, row, actor);
    },
  });

  serve(app, 'updateEventSubscription', {
    async handle({
      params: { account_id: accountId, subscription_id: subscriptionId },
      body,
      actor,
      incoming,
      setHeader,
    }) {
      const key = { accountId, subscriptionId };
      const row = await updateSubscription(context, key, body, requesterOf(actor, accountId), (present) =>
        requireVersion(incoming.headers, present.version, 'The event subscription', () =>
          viewOf(context, present, actor),
        ),
      );
      setHeader('etag', versionTag(row.version));
      return viewOf(context, row, actor);
    },
  });

  serve(app, 'deleteEventSubscription', {
    async handle({ params: { account_id: accountId, subscription_id: subscriptionId }, actor }) {
      await removeSubscription(context, { accountId, subscriptionId }, actor.author);
      return undefined;
    },
  });

  serve(app, 'rotateEventSubscriptionSecret', {
    async handle({ params: { account_id: accountId, subscription_id: subscriptionId }, actor }) {
      const row = await rotateSecret(context, { accountId, subscriptionId }, actor.author);
      return { secret: row.secret, previous_expires_at: row.previous_expires_at!.toISOString() };
    },
  });

  serve(app, 'replayEvents', {
    async handle({ params: { account_id: accountId, subscription_id: subscriptionId }, body, actor }) {
      const key = { accountId, subscriptionId };
      return viewOf(context, await moveSubscription(context, key, body.after, actor.author), actor);
    },
  });

  serve(app, 'testEventSubscription', {
    async handle({ params: { account_id: accountId, subscription_id: subscriptionId } }) {
      return sendTestEvent(context, await requireSubscription(context.db, { accountId, subscriptionId }));
    },
  });

  serve(app, 'listEventDeliveries', {
    async handle({ params: { account_id: accountId, subscription_id: subscriptionId }, query: { status, ...page } }) {
      const key = { accountId, subscriptionId };
      await requireSubscription(context.db, key);
      return newestPageOf(page, {
        load: (before, limit) => listEventDeliveries(context.db, key, { status, before }, limit),
        idOf: (row) => row.delivery_id,
        view: eventDeliveryView,
      });
    },
  });

  serve(app, 'replayEventDelivery', {
    async handle({
      params: { account_id: accountId, subscription_id: subscriptionId, delivery_id: deliveryId },
      actor,
    }) {
      const key = { accountId, subscriptionId };
      return eventDeliveryView(await replayDeadLetter(context, key, deliveryId, actor.author));
    },
  });
}

function requesterOf(actor: Actor, accountId: number): Requester {
  return { author: actor.author, rights: filterRightsOf(actor, accountId) };
}

async function viewOf(context: Context, row: SubscriptionRow, actor: Actor): Promise<EventSubscription> {
  const rights = filterRightsOf(actor, row.account_id);
  const [view] = await subscriptionViews(context, row.account_id, [row], rights);
  return view!;
}
