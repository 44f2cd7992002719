import type { AccountConnection, CallOptions } from '../transport/connection.ts';
import { listRows, type ListOptions } from '../transport/list-rows.ts';
import type {
  CreateEventSubscriptionBody,
  ListEventDeliveriesQuery,
  UpdateEventSubscriptionBody,
} from '../wire/shapes.ts';
import { tagOf, type ChangeOptions } from './export-schedules.ts';

/** Creates the operations on the event subscriptions of an account. */
export function createEventSubscriptions(account: AccountConnection) {
  const pathOf = (subscriptionId: string) => ({ subscription_id: subscriptionId });
  return {
    list: (options?: ListOptions) => listRows(account, 'listEventSubscriptions', options),
    get: (subscriptionId: string, options?: CallOptions) =>
      account.call('getEventSubscription', { ...options, path: pathOf(subscriptionId) }),
    /** Creates a subscription. Store its `secret`: it is shown only here. */
    create: (body: CreateEventSubscriptionBody, options?: CallOptions) =>
      account.call('createEventSubscription', { ...options, body }),
    /** Changes a subscription. Absent fields stay as they are. `paused` pauses or resumes it. */
    update: (
      subscriptionId: string,
      body: UpdateEventSubscriptionBody,
      { version, ...options }: ChangeOptions = {},
    ) => {
      const input = { ...options, path: pathOf(subscriptionId), ifMatch: tagOf(version) };
      return account.call('updateEventSubscription', { ...input, body });
    },
    delete: (subscriptionId: string, options?: CallOptions) =>
      account.call('deleteEventSubscription', { ...options, path: pathOf(subscriptionId) }),
    /** Creates a new secret. For 24 hours, deliveries are signed with both secrets. */
    rotateSecret: (subscriptionId: string, options?: CallOptions) =>
      account.call('rotateEventSubscriptionSecret', { ...options, path: pathOf(subscriptionId) }),
    /** Moves a subscription: the next event is the one after this position. */
    replay: (subscriptionId: string, after: number, options?: CallOptions) =>
      account.call('replayEvents', { ...options, path: pathOf(subscriptionId), body: { after } }),
    /** Sends a test event, and returns the response of the receiver. */
    test: (subscriptionId: string, options?: CallOptions) =>
      account.call('testEventSubscription', { ...options, path: pathOf(subscriptionId) }),
    /** The deliveries of a subscription, newest first. With `status: 'failed'`, the dead letters. */
    deliveries: (subscriptionId: string, options?: ListOptions<ListEventDeliveriesQuery>) =>
      listRows(account, 'listEventDeliveries', options, pathOf(subscriptionId)),
    /** Sends a dead letter again. */
    replayDelivery: (subscriptionId: string, deliveryId: string, options?: CallOptions) =>
      account.call('replayEventDelivery', {
        ...options,
        path: { ...pathOf(subscriptionId), delivery_id: deliveryId },
      }),
  };
}
