import { Type, type Static } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';

/** The channels of messages. */
export const channels = ['email', 'sms', 'whatsapp', 'app_push', 'web_push'] as const;

/** What can happen to a message, in the order in which it happens. */
export const activityKinds = ['sent', 'delivered', 'open', 'click', 'bounce', 'unsubscribe', 'spam'] as const;

/** Maximum number of records in one request. */
export const activitiesPerRequest = 10_000;

/**
 * How far `occurred_at` can be in the future, in milliseconds: one day. Clocks of senders are wrong
 * by minutes, not by days.
 */
export const activityTimeTolerance = 86_400_000;

/**
 * Programs that export activities write a blank for a missing value. A blank must not refuse the
 * other records.
 */
const blankIsAbsent = { 'x-blank-is-absent': true };

const text = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, ...blankIsAbsent, description, examples: [example] }));

/** Note on fields that only the activities of a person have, not those of the sender. */
const onlyByPersons = 'Only for `open`, `click`, `unsubscribe` and `spam`.';

/** One activity in a request. */
export const ActivityRecord = Type.Object(
  {
    identity: Type.Unsafe<string>({
      type: ['string', 'number'],
      format: 'identity',
      description:
        "Value of the account's primary key. The contact does not have to exist yet. The activity shows when the contact is created.",
      examples: ['asha@example.com'],
    }),
    channel: Type.Enum([...channels]),
    activity: Type.Enum([...activityKinds]),
    occurred_at: Type.String({
      format: 'date-time',
      description:
        'When it happened, to the millisecond. Up to one day in the future, and not older than the account keeps activities (`activity_retention_months`).',
      examples: ['2026-01-31T09:00:00Z'],
    }),
    id: Type.Optional(
      Type.Unsafe<string>({
        type: ['string', 'integer'],
        format: 'record-id',
        description:
          'Identifier of the record in your system, 1 to 255 characters. With an `id`, you can safely send the record again. A record with the same `identity`, `channel`, `occurred_at` (to the millisecond) and `id` as an earlier one changes nothing and counts as `unchanged`. All four must be equal: with another `occurred_at`, it is a new record. So store `occurred_at` with the record, and do not use the time of sending. A record without an `id` is always new.',
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
    ip: text(45, `IP address of the person. ${onlyByPersons}`, '203.0.113.7'),
    device: text(255, onlyByPersons, 'Mobile'),
    os: text(255, onlyByPersons, 'Android 16'),
    browser: text(255, onlyByPersons, 'Chrome 141'),
    link: text(2048, 'URL that was clicked. Only for `click`.', 'https://shop.example.com/offers'),
    bounce_type: Type.Optional(
      Type.Enum(['hard', 'soft'], {
        ...blankIsAbsent,
        description: 'Only for `bounce`: `hard` opts the contact out of the channel. Default: soft.',
      }),
    ),
  },
  {
    // Without its type, a hard bounce would count as soft, and the opt-out would be lost.
    'x-refuse-unknown': 'bounce',
    description:
      'A message that was sent to a person, or something that the person did with it. Unknown keys are ignored, except those with the word bounce.',
  },
);

/** Body of recording activities. */
export const RecordActivitiesBody = Type.Object(
  { data: Type.Array(ActivityRecord, { minItems: 1, maxItems: activitiesPerRequest }) },
  {
    $id: 'RecordActivitiesBody',
    description: 'Activities to record.',
    'x-body': bodyLimits.activities,
  },
);

/** Body of recording activities, after reading. */
export type RecordActivitiesBody = Static<typeof RecordActivitiesBody>;
/** One activity, after reading: `occurred_at` is in UTC, with milliseconds. */
export type ActivityRecord = Static<typeof ActivityRecord>;
/** A channel of messages. */
export type Channel = (typeof channels)[number];
/** The kind of an activity. */
export type ActivityKind = (typeof activityKinds)[number];
