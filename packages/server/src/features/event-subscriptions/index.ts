import type { Feature } from '#platform/feature.ts';
import { hour, minute, second } from '#platform/time/intervals.ts';
import { subscriptionRoutes } from './routes.ts';
import { sendEvents } from './sending/send-events.ts';
import { freeAbandoned, wakeSubscriptions } from './sending/wake.ts';
import { deleteOldDeliveriesOfEvents } from './upkeep/delete-old.ts';
import { measureLags } from './upkeep/lag-metrics.ts';
import { subscriptionsUsingAttributes, subscriptionsUsingAudiences } from './upkeep/usage.ts';

/** Subscriptions to which one process sends at the same time. Each waits up to 10 s for its receiver. */
const concurrentSubscriptions = 32;

/** Event subscriptions: the events of an account, sent to receivers in order. */
export const eventSubscriptions: Feature = {
  name: 'event-subscriptions',
  routes: { operator: [subscriptionRoutes] },
  attributeUses: subscriptionsUsingAttributes,
  audienceUses: subscriptionsUsingAudiences,
  upkeep: [
    { interval: second / 2, run: wakeSubscriptions },
    { interval: minute, run: freeAbandoned },
    { interval: 15 * second, run: measureLags },
    { interval: hour, run: deleteOldDeliveriesOfEvents, deletesByAge: true },
  ],
  jobs: { send_events: { concurrency: concurrentSubscriptions, run: sendEvents } },
};
