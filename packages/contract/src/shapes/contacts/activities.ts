import { Type, type Static } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';

/** The channels on which people are reached. */
export const channels = ['email', 'sms', 'whatsapp', 'app_push', 'web_push'] as const;

/** What can happen to a message on a channel, in the order in which it happens. */
export const activityKinds = ['sent', 'delivered', 'open', 'click', 'bounce', 'unsubscribe', 'spam'] as const;

/** Most records of one request. */
export const activitiesPerRequest = 10_000;

/** Milliseconds by which a record may lie after the moment of its request: clocks of senders are wrong by minutes, not by days. */
export const activityTimeTolerance = 86_400_000;

/** Programs that export activities write a blank for what there is not: it must not refuse the records beside it. */
const blankIsAbsent = { 'x-blank-is-absent': true };

const text = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, ...blankIsAbsent, description, examples: [example] }));

/** What somebody does by hand, with a device. */
const byHand = 'Only for `open`, `click`, `unsubscribe` and `spam`.';

/** One activity as it arrives. */
export const ActivityRecord = Type.Object(
  {
    identity: Type.Unsafe<string>({
      type: ['string', 'number'],
      format: 'identity',
      description:
        "Value of the account's primary key. It need not be that of a contact yet: the activity shows when the contact appears.",
      examples: ['asha@example.com'],
    }),
    channel: Type.Enum([...channels]),
    activity: Type.Enum([...activityKinds]),
    occurred_at: Type.String({
      format: 'date-time',
      description:
        'When it happened, to the millisecond. At most a day after the request, and not before the activities that the account keeps (`activity_retention_months`).',
      examples: ['2026-01-31T09:00:00Z'],
    }),
    id: Type.Optional(
      Type.Unsafe<string>({
        type: ['string', 'integer'],
        format: 'record-id',
        description:
          'Identifier of the record where it comes from, 1 to 255 characters. It makes it safe to send the record again, as it was: one with the same `identity`, `channel`, `occurred_at` (to the millisecond) and `id` as an earlier one changes nothing, and counts as `unchanged`. An `id` alone does not make a repeat: sent again with another moment, identity or channel, the record is another one and is stored beside the first. So keep `occurred_at` with the record, and do not take the time of sending. Records without an `id` are never taken for repeats.',
        examples: ['evt-8f14e45f'],
      }),
    ),
    message_id: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        ...blankIsAbsent,
        description: 'Number of the message.',
        examples: [4711],
      }),
    ),
    msg_name: text(255, 'Name of the message, such as that of a campaign.', 'Diwali offers'),
    ip: text(45, `Address from which it was done. ${byHand}`, '203.0.113.7'),
    device: text(255, byHand, 'Mobile'),
    os: text(255, byHand, 'Android 16'),
    browser: text(255, byHand, 'Chrome 141'),
    link: text(2048, 'Address that was followed. Only for `click`.', 'https://shop.example.com/offers'),
    bounce_type: Type.Optional(
      Type.Enum(['hard', 'soft'], {
        ...blankIsAbsent,
        description: 'Only for `bounce`: `hard` opts the contact out of the channel. Default: soft.',
      }),
    ),
  },
  { description: 'Something that was sent to a person, or that the person did with it.' },
);

/** Body of the recording of activities. */
export const RecordActivitiesBody = Type.Object(
  { data: Type.Array(ActivityRecord, { minItems: 1, maxItems: activitiesPerRequest }) },
  {
    $id: 'RecordActivitiesBody',
    description: 'What was sent to people and what they did.',
    'x-body': bodyLimits.activities,
  },
);

/** The body of the recording of activities, read. */
export type RecordActivitiesBody = Static<typeof RecordActivitiesBody>;
/** One activity, read: `occurred_at` is in UTC, with milliseconds. */
export type ActivityRecord = Static<typeof ActivityRecord>;
/** A channel. */
export type Channel = (typeof channels)[number];
/** What happened. */
export type ActivityKind = (typeof activityKinds)[number];
