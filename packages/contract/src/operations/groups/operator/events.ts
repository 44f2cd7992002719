import { EventPage, ListEventsQuery } from '../../../shapes/events/events.ts';
import { operation } from '../../definition/operation.ts';

/** The event feed of an account. */
export const eventOperations = {
  listEvents: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/event-feed',
    permission: 'events:read',
    repeat: 'harmless',
    tag: 'Events',
    summary: 'Read the event feed',
    description:
      'Returns events in the order of commits, from any position that is still kept. Every change is an event exactly once, while the setting `events` of the account is on. Send `next_after` as `after` to continue, also when `data` is empty.',
    query: ListEventsQuery,
    answer: EventPage,
    errors: ['events_expired'],
  }),
};
