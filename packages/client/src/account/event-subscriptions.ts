import type { CallOptions, Connection } from '../transport/connection.ts';
import { Listing, type Page } from '../wire/listing.ts';
import type {
  CreatedEventSubscription,
  CreateEventSubscriptionBody,
  EventDelivery,
  EventSubscription,
  EventSubscriptionSecret,
  EventTestResult,
  ListEventDeliveriesQuery,
  PageQuery,
  UpdateEventSubscriptionBody,
} from '../wire/shapes.ts';
import { tagOf, type ChangeOptions } from './export-schedules.ts';

type ListOptions<Query> = Pick<CallOptions, 'signal'> & Omit<Query, 'cursor'>;

/** Creates the operations on the event subscriptions of an account. */
export function createEventSubscriptions(connection: Connection, account: { readonly account_id: number }) {
  const pathOf = (subscriptionId: string) => ({ ...account, subscription_id: subscriptionId });
  return {
    list: ({ signal, ...query }: ListOptions<PageQuery> = {}): Listing<EventSubscription, Page<EventSubscription>> =>
      new Listing((cursor) => {
        const page = { ...query, ...(cursor && { cursor }) };
        return connection.call('listEventSubscriptions', { path: account, query: page, signal });
      }),
    get: (subscriptionId: string, options: CallOptions = {}): Promise<EventSubscription> =>
      connection.call('getEventSubscription', { ...options, path: pathOf(subscriptionId) }),
    /** Creates a subscription. Store its `secret`: it is shown only here. */
    create: (body: CreateEventSubscriptionBody, options: CallOptions = {}): Promise<CreatedEventSubscription> =>
      connection.call('createEventSubscription', { ...options, path: account, body }),
    /** Changes a subscription. Absent fields stay as they are. `paused` pauses or resumes it. */
    update: (
      subscriptionId: string,
      body: UpdateEventSubscriptionBody,
      { version, ...options }: ChangeOptions = {},
    ): Promise<EventSubscription> =>
      connection.call('updateEventSubscription', {
        ...options,
        path: pathOf(subscriptionId),
        body,
        ifMatch: tagOf(version),
      }),
    delete: (subscriptionId: string, options: CallOptions = {}): Promise<void> =>
      connection.call('deleteEventSubscription', { ...options, path: pathOf(subscriptionId) }),
    /** Creates a new secret. For 24 hours, deliveries are signed with both secrets. */
    rotateSecret: (subscriptionId: string, options: CallOptions = {}): Promise<EventSubscriptionSecret> =>
      connection.call('rotateEventSubscriptionSecret', { ...options, path: pathOf(subscriptionId) }),
    /** Moves a subscription: the next event is the one after this position. */
    replay: (subscriptionId: string, after: number, options: CallOptions = {}): Promise<EventSubscription> =>
      connection.call('replayEvents', { ...options, path: pathOf(subscriptionId), body: { after } }),
    /** Sends a test event, and returns the response of the receiver. */
    test: (subscriptionId: string, options: CallOptions = {}): Promise<EventTestResult> =>
      connection.call('testEventSubscription', { ...options, path: pathOf(subscriptionId) }),
    /** The deliveries of a subscription, newest first. With `status: 'failed'`, the dead letters. */
    deliveries: (
      subscriptionId: string,
      { signal, ...query }: ListOptions<ListEventDeliveriesQuery> = {},
    ): Listing<EventDelivery, Page<EventDelivery>> =>
      new Listing((cursor) => {
        const page = { ...query, ...(cursor && { cursor }) };
        return connection.call('listEventDeliveries', { path: pathOf(subscriptionId), query: page, signal });
      }),
    /** Sends a dead letter again. */
    replayDelivery: (subscriptionId: string, deliveryId: string, options: CallOptions = {}): Promise<EventDelivery> =>
      connection.call('replayEventDelivery', {
        ...options,
        path: { ...pathOf(subscriptionId), delivery_id: deliveryId },
      }),
  };
}
