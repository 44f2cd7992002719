import { Type, type Static } from 'typebox';

/** Every kind of event. */
export const eventKinds = [
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'contact.erased',
  'contact.opted_out',
  'contact.opted_in',
  'contact.confirmed',
  'contact.blacklisted',
  'contact.unblacklisted',
  'contact.joined_list',
  'contact.left_list',
  'contact.entered_segment',
  'contact.left_segment',
  'segment.stopped',
  'list.deleted',
  'attribute.deleted',
  'import.completed',
  'import.failed',
  'import.cancelled',
  'export.completed',
  'export.failed',
  'export.cancelled',
  'events.stopped',
  'events.started',
] as const;

/** A kind of event, such as `contact.created`. */
export type EventKind = (typeof eventKinds)[number];

/** Default and maximum number of events in one answer. */
export const eventLimits = { default: 1000, max: 10_000 } as const;

const position = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

/** Query of reading the event feed. */
export const ListEventsQuery = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        ...position,
        description: 'Only events after this position. Default: from the oldest event that is kept.',
      }),
    ),
    since: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'Instead of `after`: only events from the first one at this time or later. Events of requests that were applied at the same time can be seconds out of this order, so begin some seconds earlier.',
        examples: ['2026-03-01T09:00:00Z'],
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: eventLimits.max,
        default: eventLimits.default,
        description: `Maximum number of events. Default: ${eventLimits.default}.`,
      }),
    ),
  },
  { additionalProperties: false },
);

/** One event of an account. */
export const AccountEvent = Type.Object(
  {
    position: Type.Integer({
      description: 'Place in the feed of the account. Positions grow by one in the order of commits.',
      examples: [17],
    }),
    kind: Type.Enum([...eventKinds], { description: 'What happened. New kinds can be added.' }),
    contact_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The contact. Null: no contact is concerned.',
    }),
    occurred_at: Type.String({ format: 'date-time', description: 'When the change was applied.' }),
    request_id: Type.Union([Type.String(), Type.Null()], { description: 'The request that made the change, or null.' }),
    details: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'What changed, by name. Never has values of contacts. Empty after the contact was erased.',
      examples: [{ fields: ['email', 'attributes.CITY'] }],
    }),
  },
  { $id: 'AccountEvent', description: 'A change in an account, for other systems.' },
);

/** Answer of reading the event feed. */
export const EventPage = Type.Object(
  {
    data: Type.Array(Type.Ref('AccountEvent'), { description: 'Events, oldest first.' }),
    next_after: Type.Integer({ description: 'The value of `after` for the next request.' }),
    last_position: Type.Integer({ description: 'Position of the newest event of the account, 0 without events.' }),
  },
  { $id: 'EventPage', description: 'A part of the event feed.' },
);

export type ListEventsQuery = Static<typeof ListEventsQuery>;
export type AccountEvent = Static<typeof AccountEvent>;
/** A part of the event feed, as an answer has it. */
export interface EventPage {
  readonly data: readonly AccountEvent[];
  readonly next_after: number;
  readonly last_position: number;
}
