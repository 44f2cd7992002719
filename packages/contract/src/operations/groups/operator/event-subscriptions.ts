import { PageQuery, pageAnswer } from '../../../shapes/common/paging.ts';
import {
  CreatedEventSubscription,
  CreateEventSubscriptionBody,
  EventDelivery,
  EventSubscription,
  EventSubscriptionSecret,
  EventTestResult,
  ListEventDeliveriesQuery,
  ReplayEventsBody,
  UpdateEventSubscriptionBody,
} from '../../../shapes/events/event-subscriptions.ts';
import { operation } from '../../definition/operation.ts';

const path = '/admin/v1/accounts/{account_id}/event-subscriptions';

/** Subscriptions to the events of an account. */
export const eventSubscriptionOperations = {
  createEventSubscription: operation({
    generation: 'operator',
    method: 'POST',
    path,
    permission: 'callbacks:write',
    entityTag: 'answer',
    repeat: 'unsafe',
    tag: 'Events',
    summary: 'Create an event subscription',
    description:
      'Sends the events of the account to a URL, in batches and in order, signed as Standard Webhooks describes. The answer shows the signing secret once. The account must have the setting `events`.',
    body: CreateEventSubscriptionBody,
    examples: {
      everything: {
        summary: 'All events from now on',
        value: { name: 'Data warehouse', url: 'https://hooks.example.com/roster-events' },
      },
      some: {
        summary: 'Opt-outs in one city, with a field of the contact',
        value: {
          name: 'Opt-outs in Pune',
          url: 'https://hooks.example.com/opt-outs',
          kinds: ['contact.opted_out', 'contact.blacklisted'],
          filter: {
            filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value: ['Pune'] }] }],
          },
          fields: ['EMAIL'],
        },
      },
    },
    status: 201,
    answer: CreatedEventSubscription,
    errors: ['conflict', 'events_expired'],
  }),

  listEventSubscriptions: operation({
    generation: 'operator',
    method: 'GET',
    path,
    permission: 'callbacks:read',
    repeat: 'harmless',
    tag: 'Events',
    summary: 'List event subscriptions',
    description: 'Returns the subscriptions of the account with their lag, newest first.',
    query: PageQuery,
    answer: pageAnswer('EventSubscription'),
  }),

  getEventSubscription: operation({
    generation: 'operator',
    method: 'GET',
    path: `${path}/{subscription_id}`,
    permission: 'callbacks:read',
    entityTag: 'answer',
    repeat: 'harmless',
    tag: 'Events',
    summary: 'Get an event subscription',
    description: 'Returns one subscription with its lag. The header `ETag` has its version.',
    answer: EventSubscription,
  }),

  updateEventSubscription: operation({
    generation: 'operator',
    method: 'PATCH',
    path: `${path}/{subscription_id}`,
    permission: 'callbacks:write',
    entityTag: 'change',
    repeat: 'harmless',
    tag: 'Events',
    summary: 'Change, pause or resume an event subscription',
    description:
      'Changes the fields that you send. You become its author: sending events needs your rights. Changes apply from the next attempt. Resuming fails with 410 if the next events are deleted. Then move the subscription to another position first.',
    body: UpdateEventSubscriptionBody,
    examples: {
      pause: { summary: 'Pause', value: { paused: true } },
      kinds: { summary: 'Other kinds', value: { kinds: ['contact.created'] } },
    },
    answer: EventSubscription,
    errors: ['conflict', 'events_expired'],
  }),

  deleteEventSubscription: operation({
    generation: 'operator',
    method: 'DELETE',
    path: `${path}/{subscription_id}`,
    permission: 'callbacks:write',
    repeat: 'harmless',
    tag: 'Events',
    summary: 'Delete an event subscription',
    description: 'Deletes a subscription, its deliveries and its dead letters. An attempt that runs continues.',
    status: 204,
  }),

  rotateEventSubscriptionSecret: operation({
    generation: 'operator',
    method: 'POST',
    path: `${path}/{subscription_id}/secret/rotate`,
    permission: 'callbacks:write',
    repeat: 'unsafe',
    tag: 'Events',
    summary: 'Rotate the secret of an event subscription',
    description:
      'Creates a new signing secret, and shows it once. For 24 hours, deliveries carry two signatures, one by each secret. If you rotate again within this time, the oldest secret ends at once.',
    answer: EventSubscriptionSecret,
  }),

  replayEvents: operation({
    generation: 'operator',
    method: 'POST',
    path: `${path}/{subscription_id}/replay`,
    permission: 'callbacks:write',
    repeat: 'harmless',
    tag: 'Events',
    summary: 'Send events again from a position',
    description:
      'Moves a subscription to another position of the feed: back, to send events again, or forward, to leave events out. A delivery that waits for its next attempt is cancelled. A paused subscription stays paused.',
    body: ReplayEventsBody,
    examples: { again: { summary: 'Everything that is kept', value: { after: 0 } } },
    answer: EventSubscription,
    errors: ['events_expired'],
  }),

  testEventSubscription: operation({
    generation: 'operator',
    method: 'POST',
    path: `${path}/{subscription_id}/test`,
    permission: 'callbacks:write',
    repeat: 'unsafe',
    tag: 'Events',
    summary: 'Send a test event',
    description:
      'Sends one event of the kind `test` to the receiver, waits for its response, and returns it. It is not retried. It does not wait for other deliveries, and works while the subscription is paused.',
    answer: EventTestResult,
  }),

  listEventDeliveries: operation({
    generation: 'operator',
    method: 'GET',
    path: `${path}/{subscription_id}/deliveries`,
    permission: 'callbacks:read',
    repeat: 'harmless',
    tag: 'Events',
    summary: 'List the deliveries of an event subscription',
    description:
      'Returns deliveries, newest first. The newest 1000 delivered ones are kept, and the others for `ROSTER_DELIVERY_RETENTION_DAYS` days.',
    query: ListEventDeliveriesQuery,
    answer: pageAnswer('EventDelivery'),
  }),

  replayEventDelivery: operation({
    generation: 'operator',
    method: 'POST',
    path: `${path}/{subscription_id}/deliveries/{delivery_id}/replay`,
    permission: 'callbacks:write',
    repeat: 'unsafe',
    tag: 'Events',
    summary: 'Send a dead letter again',
    description:
      'Sends a failed delivery again, with the same `webhook-id`, and retries it for another 24 hours. Its events are read again. Later events can have been delivered before it.',
    answer: EventDelivery,
    errors: ['conflict', 'events_expired'],
  }),
};
