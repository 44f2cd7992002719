import { Type, type Static } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { exampleMoment } from '../common/envelope.ts';
import { pageQueryProperties } from '../common/paging.ts';
import { filterProperties } from '../contacts/search.ts';
import { callbackLimits, deliveryErrors } from '../service/deliveries.ts';
import { eventKinds } from './events.ts';
import { moment, momentOrNull } from '../common/fields.ts';

/** Limits of event subscriptions. */
export const subscriptionLimits = {
  /** Subscriptions of an account. */
  perAccount: 20,
  /** Default and maximum number of events in one delivery. */
  events: { default: 250, max: 1000 },
  /** Fields of the contact in an event. */
  fields: 50,
} as const;

/** Reasons why a subscription is paused. */
export const pauseReasons = {
  by_hand: 'Somebody paused the subscription.',
  retries_ended: 'All attempts in 24 hours failed.',
  receiver_gone: 'The receiver returned the status 410.',
  events_expired: 'The next events are older than the retention time, and are deleted.',
  author_rights: 'The person or the API key that changed the subscription last does not have the rights anymore.',
  filter_invalid: 'The filter or a field of the subscription is not valid anymore.',
} as const;

/** A reason why a subscription is paused. */
export type PauseReason = keyof typeof pauseReasons;

/** What happens after the last attempt of a delivery. */
const failurePolicies = ['pause', 'continue'] as const;

/** What happens after the last attempt of a delivery. */
export type FailurePolicy = (typeof failurePolicies)[number];

const position = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

const header = Type.Object(
  {
    name: Type.String({ minLength: 1, examples: ['Authorization'] }),
    value: Type.String({ 'x-keep-space': true, examples: ['Bearer secret'] }),
  },
  { additionalProperties: false, description: 'One header.' },
);

const nameOptions = {
  minLength: 1,
  maxLength: 255,
  'x-plain-name': true,
  description: 'Name for people.',
  examples: ['Data warehouse'],
};
const urlOptions = {
  minLength: 1,
  maxLength: callbackLimits.urlLength,
  description: 'HTTPS URL of the receiver. An operator can allow plain HTTP and internal addresses.',
  examples: ['https://hooks.example.com/roster-events'],
};
const kinds = Type.Array(Type.Enum([...eventKinds]), {
  minItems: 1,
  maxItems: 100,
  description: 'Only events of these kinds.',
  examples: [['contact.created', 'contact.opted_out']],
});
const filter = Type.Object(filterProperties, {
  additionalProperties: false,
  description:
    'A filter of contact search. An event is sent only if its contact matches when it is sent. `contact.deleted`, `contact.erased` and events without a contact are always sent.',
});
const fields = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
  maxItems: subscriptionLimits.fields,
  description:
    'Fields, attributes and derived attributes of the contact that each event has in `contact`, with their values when it is sent. Derived attributes need the permission `activity:read`. Default: none.',
  examples: [['EMAIL', 'CITY']],
});
const unmasked = Type.Boolean({
  default: false,
  description: 'True: `contact` has unmasked values. The caller needs the permission `unmasked`. Default: false.',
});
const headers = Type.Array(header, {
  maxItems: callbackLimits.headers,
  description: 'Headers of each delivery. No answer shows their values, because they can be secrets.',
});
const maxEvents = Type.Integer({
  minimum: 1,
  maximum: subscriptionLimits.events.max,
  default: subscriptionLimits.events.default,
  description: `Maximum number of events in a delivery. Default: ${subscriptionLimits.events.default}.`,
  examples: [subscriptionLimits.events.default],
});
const whenFailed = Type.Enum([...failurePolicies], {
  default: 'pause',
  description:
    'What happens after the last attempt of a delivery. `pause`: the subscription is paused, and nothing is sent out of order. `continue`: the delivery becomes a dead letter, and the later events are sent. Default: pause.',
  examples: ['pause'],
});

/** Body of subscription creation. */
export const CreateEventSubscriptionBody = Type.Object(
  {
    name: Type.String(nameOptions),
    url: Type.String(urlOptions),
    kinds: Type.Optional(kinds),
    filter: Type.Optional(filter),
    fields: Type.Optional(fields),
    unmasked: Type.Optional(unmasked),
    headers: Type.Optional(headers),
    max_events: Type.Optional(maxEvents),
    when_failed: Type.Optional(whenFailed),
    after: Type.Optional(
      Type.Integer({
        ...position,
        description: 'The first event is the one after this position. Default: the next event that happens.',
        examples: [0],
      }),
    ),
  },
  {
    $id: 'CreateEventSubscriptionBody',
    description: 'A receiver that gets the events of an account.',
    'x-body': bodyLimits.filter,
    additionalProperties: false,
    'x-refuse-repeats': true,
  },
);

/** Body of subscription update. */
export const UpdateEventSubscriptionBody = Type.Object(
  {
    name: Type.Optional(Type.String({ ...nameOptions, 'x-refuse-null': true })),
    url: Type.Optional(Type.String({ ...urlOptions, 'x-refuse-null': true })),
    kinds: Type.Optional(Type.Union([kinds, Type.Null()], { description: 'Null: events of all kinds.' })),
    filter: Type.Optional(Type.Union([filter, Type.Null()], { description: 'Null: no filter.' })),
    fields: Type.Optional(fields),
    unmasked: Type.Optional(unmasked),
    headers: Type.Optional(headers),
    max_events: Type.Optional(maxEvents),
    when_failed: Type.Optional(whenFailed),
    paused: Type.Optional(
      Type.Boolean({
        description:
          'True: nothing is sent. False: sending continues after the last delivered event, and a failed delivery is retried at once.',
      }),
    ),
  },
  {
    $id: 'UpdateEventSubscriptionBody',
    description: 'Changes of a subscription. Absent fields stay as they are.',
    'x-body': bodyLimits.filter,
    additionalProperties: false,
    minProperties: 1,
    'x-refuse-repeats': true,
  },
);

/** Body of moving a subscription to a position. */
export const ReplayEventsBody = Type.Object(
  {
    after: Type.Integer({
      ...position,
      description:
        'The next event is the one after this position. It can be before or after the present position of the subscription.',
      examples: [1200],
    }),
  },
  {
    $id: 'ReplayEventsBody',
    description: 'The position from which events are sent again.',
    additionalProperties: false,
    'x-refuse-repeats': true,
  },
);

const attemptError = Type.Union(
  [
    Type.Object({
      code: Type.Enum(Object.keys(deliveryErrors), { description: 'Stable code. docs/errors.md lists all codes.' }),
      message: Type.String(),
    }),
    Type.Null(),
  ],
  { description: 'Why the last attempt failed. Null if it did not fail, or is running.', examples: [null] },
);

/** States of an event delivery. */
export const eventDeliveryStatuses = ['pending', 'delivered', 'failed', 'cancelled'] as const;

/** Status of an event delivery. */
export type EventDeliveryStatus = (typeof eventDeliveryStatuses)[number];

/** A batch of events for a subscription. */
export const EventDelivery = Type.Object(
  {
    delivery_id: Type.String({
      format: 'uuid',
      description: 'Every attempt sends it as the header `webhook-id`.',
      examples: ['019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a12'],
    }),
    first_position: Type.Integer({ description: 'Position of the first event that it covers.', examples: [1201] }),
    last_position: Type.Integer({ description: 'Position of the last event that it covers.', examples: [1450] }),
    events: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Number of events that the last attempt sent. Null before the first attempt.',
      examples: [250],
    }),
    status: Type.Enum([...eventDeliveryStatuses], {
      description:
        '`pending`: it is sent now, or waits for its next attempt. `delivered`: the receiver returned 2xx. `failed`: a dead letter, because all attempts in 24 hours failed. `cancelled`: the subscription was moved to another position before.',
      examples: ['delivered'],
    }),
    replayed: Type.Boolean({ description: 'True: it was a dead letter, and somebody sent it again.' }),
    attempts: Type.Integer({ minimum: 0, description: 'Number of attempts that were started.', examples: [1] }),
    status_code: Type.Union([Type.Integer(), Type.Null()], {
      description: 'HTTP status of the response to the last attempt.',
      examples: [204],
    }),
    duration_ms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Milliseconds of the last attempt.',
      examples: [84],
    }),
    error: attemptError,
    next_attempt_at: momentOrNull('Time of the next attempt. Null when it has ended.'),
    created_at: moment('When it was first sent.'),
    finished_at: momentOrNull('When it was delivered or given up.', exampleMoment),
  },
  { $id: 'EventDelivery', description: 'A batch of events for a subscription. It has positions, and no events.' },
);

const subscriptionFields = {
  subscription_id: Type.String({ format: 'uuid', examples: ['019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11'] }),
  name: Type.String(nameOptions),
  url: Type.String(urlOptions),
  header_names: Type.Array(Type.String(), { description: 'Names of the headers.', examples: [['Authorization']] }),
  kinds: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Kinds of events. Null: all kinds, also those of later versions.',
    examples: [null],
  }),
  filter: Type.Union([Type.Ref('ExportFilter'), Type.Null()], {
    description: 'The filter, with the current names of the attributes. Null: no filter.',
    examples: [null],
  }),
  fields: Type.Array(Type.String(), { examples: [['EMAIL', 'CITY']] }),
  unmasked: Type.Boolean(),
  max_events: maxEvents,
  when_failed: whenFailed,
  status: Type.Enum(['active', 'paused'], { examples: ['active'] }),
  pause: Type.Union(
    [
      Type.Object({
        reason: Type.Enum(Object.keys(pauseReasons)),
        message: Type.String(),
        since: Type.String({ format: 'date-time' }),
      }),
      Type.Null(),
    ],
    { description: 'Why and since when it is paused. Null while it is active.', examples: [null] },
  ),
  position: Type.Integer({
    description: 'Events up to this position were delivered, left out, or given up.',
    examples: [1450],
  }),
  last_position: Type.Integer({ description: 'Position of the newest event of the account.', examples: [1450] }),
  lag: Type.Object(
    {
      events: Type.Integer({ description: 'Number of events after `position`, of all kinds.', examples: [0] }),
      seconds: Type.Integer({ description: 'Age of the oldest of them. 0 without any.', examples: [0] }),
    },
    { description: 'How far the subscription is behind.' },
  ),
  pending: Type.Union([Type.Ref('EventDelivery'), Type.Null()], {
    description: 'The delivery that is sent now, or waits for its next attempt.',
    examples: [null],
  }),
  dead_letters: Type.Integer({ minimum: 0, description: 'Number of failed deliveries.', examples: [0] }),
  secret_created_at: moment('When the signing secret was created.'),
  previous_secret_expires_at: momentOrNull('When the previous signing secret stops signing. Null without any.'),
  author: Type.String({
    description:
      'Who created or changed it last, as in the audit log. Events are sent only while this author may manage callbacks, and may see unmasked values if the subscription needs them.',
    examples: ['operator'],
  }),
  version: Type.Integer({ description: 'Number of the change. The ETag is made of it.', examples: [1] }),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
};

/** A subscription as the operator API shows it. */
export const EventSubscription = Type.Object(subscriptionFields, {
  $id: 'EventSubscription',
  description: 'A receiver that gets the events of an account.',
});

const secret = Type.String({
  description: 'The key of the signatures (Standard Webhooks). It is shown only once.',
  examples: ['whsec_Jq1dU0vS1hkWZ0bXQ8n3cG5oXqk2vN7mB4tYxR9aLpE='],
});

/** A new subscription, with its secret. */
export const CreatedEventSubscription = Type.Object(
  { ...subscriptionFields, secret },
  { $id: 'CreatedEventSubscription', description: 'A new subscription with its signing secret.' },
);

/** The new secret of a subscription. */
export const EventSubscriptionSecret = Type.Object(
  { secret, previous_expires_at: moment('When the previous secret stops signing.') },
  { $id: 'EventSubscriptionSecret', description: 'The new signing secret of a subscription.' },
);

/** The outcome of a test event. */
export const EventTestResult = Type.Object(
  {
    delivery_id: Type.String({ format: 'uuid', description: 'The `webhook-id` of the test event.' }),
    delivered: Type.Boolean({ description: 'True: the receiver returned 2xx.' }),
    status_code: Type.Union([Type.Integer(), Type.Null()], { examples: [204] }),
    duration_ms: Type.Integer({ minimum: 0, examples: [84] }),
    error: attemptError,
  },
  { $id: 'EventTestResult', description: 'What a receiver returned to a test event.' },
);

/** Query of listing the deliveries of a subscription. */
export const ListEventDeliveriesQuery = Type.Object(
  {
    ...pageQueryProperties,
    status: Type.Optional(
      Type.Enum([...eventDeliveryStatuses], {
        description: 'Only deliveries of this status. `failed` lists the dead letters.',
      }),
    ),
  },
  { additionalProperties: false },
);

export type CreateEventSubscriptionBody = Static<typeof CreateEventSubscriptionBody>;
export type UpdateEventSubscriptionBody = Static<typeof UpdateEventSubscriptionBody>;
export type ReplayEventsBody = Static<typeof ReplayEventsBody>;
export type EventDelivery = Static<typeof EventDelivery>;
/** A subscription, in an answer. */
export type EventSubscription = Omit<Static<typeof EventSubscription>, 'pending'> & {
  readonly pending: EventDelivery | null;
};
/** A new subscription with its secret, in an answer. */
export type CreatedEventSubscription = EventSubscription & { readonly secret: string };
export type EventSubscriptionSecret = Static<typeof EventSubscriptionSecret>;
export type EventTestResult = Static<typeof EventTestResult>;
export type ListEventDeliveriesQuery = Static<typeof ListEventDeliveriesQuery>;
