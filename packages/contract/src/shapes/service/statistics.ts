import { Type, type Static } from 'typebox';
import { activityKinds, channels } from '../contacts/activities.ts';
import { pageQueryProperties } from '../common/paging.ts';
import { count } from '../common/fields.ts';

/** Maximum number of days in one answer. */
export const statisticsDays = 400;

/** Number of days in an answer if the request does not say which. */
export const defaultStatisticsDays = 30;

const day = (description: string) =>
  Type.Optional(Type.String({ format: 'date', 'x-blank-is-absent': true, description, examples: ['2026-01-30'] }));

const period = {
  from: day(
    `First day, \`YYYY-MM-DD\`, in the time zone of the account. Default: ${defaultStatisticsDays} days that end with \`to\`.`,
  ),
  to: day(`Last day. Default: today. A period has at most ${statisticsDays} days.`),
};
const messageFilter = Type.Optional(
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Only this message.' }),
);
const channelFilter = Type.Optional(Type.Enum([...channels], { description: 'Only this channel.' }));

/** The query of the growth of contacts. */
export const ContactGrowthQuery = Type.Object(period, { additionalProperties: false });

/** The query of activity by day. */
export const ActivityStatisticsQuery = Type.Object(
  {
    ...period,
    channel: channelFilter,
    message_id: messageFilter,
  },
  { additionalProperties: false },
);

/** The query of activity by message. */
export const ListMessageStatisticsQuery = Type.Object(
  { ...pageQueryProperties, ...period, channel: channelFilter, message_id: messageFilter },
  { additionalProperties: false },
);

/** The query of the people of one message. */
export const ListMessageActivitiesQuery = Type.Object(
  {
    ...pageQueryProperties,
    ...period,
    channel: channelFilter,
    activity: Type.Enum([...activityKinds], { description: 'What happened.' }),
  },
  { additionalProperties: false },
);

const typeNumbers = (description: string) =>
  Type.Object(
    {
      anonymous: count('Anonymous contacts.', 2),
      identified: count('Identified contacts.', 940),
      unconfirmed: count('Unconfirmed contacts.', 11),
      confirmed: count('Confirmed contacts.', 40),
      blacklisted: count('Blacklisted contacts.', 7),
    },
    { description },
  );
const channelNumbers = (description: string) =>
  Type.Object(
    { email: count('On e-mail.', 900), sms: count('On SMS.', 310), whatsapp: count('On WhatsApp.', 305) },
    { description },
  );

const periodOfAnswer = {
  time_zone: Type.String({ description: 'Time zone of the account, in which days begin.', examples: ['Asia/Kolkata'] }),
  from: Type.String({ description: 'First day.', examples: ['2026-01-01'] }),
  to: Type.String({ description: 'Last day.', examples: ['2026-01-30'] }),
};
const rebuilding = Type.Boolean({
  description:
    'True while the numbers are computed again, for example because the account has a new time zone. Until then, they can be wrong.',
  examples: [false],
});

/** One day of the growth of contacts. */
const GrowthDay = Type.Object(
  {
    day: Type.String({ description: 'The day, in the time zone of the account.', examples: ['2026-01-30'] }),
    created: count('Contacts that were created on this day.', 25),
    deleted: count('Contacts that were deleted on this day.', 3),
    opted_out: channelNumbers('Contacts that opted out on this day.'),
    opted_in: channelNumbers('Contacts that opted in again on this day.'),
    contacts: count('Contacts at the end of this day.', 1000),
    types: typeNumbers('Contacts of each type at the end of this day.'),
    reach: channelNumbers('Contacts that each channel reached at the end of this day.'),
  },
  { description: 'What happened on one day, and the numbers at its end.' },
);

/** The answer of the growth of contacts. */
export const ContactGrowth = Type.Object(
  {
    ...periodOfAnswer,
    rebuilding,
    contacts: count('Contacts now.', 1000),
    types: typeNumbers('Contacts of each type now.'),
    reach: channelNumbers(
      'Contacts that each channel reaches now. They have an e-mail address (`email`) or a mobile number (`sms`, `whatsapp`), have not opted out of the channel, and are not `blacklisted`.',
    ),
    days: Type.Array(GrowthDay, { maxItems: statisticsDays, description: 'Every day of the period, oldest first.' }),
  },
  { $id: 'ContactGrowth', description: 'The contacts of an account now and by day.' },
);

const activityNumbers = {
  sent: count('Messages that were sent.', 1000),
  delivered: count('Messages that were delivered.', 980),
  open: count('Opens. A person can open a message several times.', 410),
  click: count('Clicks. A person can click several times.', 95),
  bounce: count('Messages that bounced.', 20),
  unsubscribe: count('Opt-outs.', 4),
  spam: count('Messages that were reported as spam.', 1),
};

/** The answer of activity by day. */
export const ActivityStatistics = Type.Object(
  {
    ...periodOfAnswer,
    rebuilding,
    totals: Type.Array(
      Type.Object(
        { channel: Type.Enum([...channels]), ...activityNumbers },
        { description: 'Activities of one channel in the period.' },
      ),
      { description: 'One row for each channel that has activities in the period.' },
    ),
    days: Type.Array(
      Type.Object(
        {
          day: Type.String({ description: 'The day, in the time zone of the account.', examples: ['2026-01-30'] }),
          channel: Type.Enum([...channels]),
          ...activityNumbers,
        },
        { description: 'Activities of one channel on one day.' },
      ),
      { description: 'Oldest day first. Days and channels without activities are left out.' },
    ),
  },
  {
    $id: 'ActivityStatistics',
    description:
      'How many activities an account has, by day and channel. To get a rate, divide two numbers, such as `open` by `delivered`.',
  },
);

/** Activities of one message. */
export const MessageStatistics = Type.Object(
  {
    message_id: Type.Integer({ minimum: 0, description: 'Number of the message.', examples: [4711] }),
    name: Type.Union([Type.String(), Type.Null()], {
      description: 'The latest name of the message, or null if it has none.',
      examples: ['Winter offers'],
    }),
    channels: Type.Array(Type.Enum([...channels]), { description: 'Channels with activities.', examples: [['email']] }),
    first_day: Type.String({ description: 'First day with an activity in the period.', examples: ['2026-01-28'] }),
    last_day: Type.String({ description: 'Last day with an activity in the period.', examples: ['2026-01-30'] }),
    ...activityNumbers,
  },
  { $id: 'MessageStatistics', description: 'How many activities a message has.' },
);

/** An activity of a message, with the contact. */
export const MessageActivity = Type.Object(
  {
    contact_id: Type.Integer({ minimum: 1, description: 'Number of the contact.', examples: [42] }),
    identity: Type.Union([Type.String(), Type.Null()], {
      description: 'Identity of the contact. It is masked like the values of the primary key.',
      examples: ['asha@example.com'],
    }),
    contact_type: Type.Enum(['anonymous', 'identified', 'unconfirmed', 'confirmed', 'blacklisted']),
    channel: Type.Enum([...channels]),
    activity: Type.Enum([...activityKinds]),
    occurred_at: Type.String({ format: 'date-time' }),
    count: Type.Integer({
      minimum: 1,
      description: 'How often this happened to the contact at this moment.',
      examples: [1],
    }),
    link: Type.Union([Type.String(), Type.Null()], { description: 'URL that was clicked.', examples: [null] }),
    bounce_type: Type.Union([Type.Enum(['hard', 'soft']), Type.Null()], { examples: [null] }),
  },
  { $id: 'MessageActivity', description: 'What one contact did with a message, or what happened to it.' },
);

/** Kinds of work that can run or fail. */
export const workKinds = ['request', 'import', 'export', 'bulk_change', 'callback', 'mail'] as const;

/** Work that runs now or has failed. */
const Work = Type.Object(
  {
    kind: Type.Enum([...workKinds]),
    id: Type.String({
      format: 'uuid',
      description:
        'The `request_id`, `import_id`, `bulk_change_id`, `delivery_id` or `mail_id`. An export has the `request_id`.',
    }),
    title: Type.String({
      description:
        'What it is: the operation, the name of the file, the action of the bulk change, the URL without its query, or the template of the mail.',
      examples: ['contacts.csv'],
    }),
    percent: Type.Union([Type.Integer({ minimum: 0, maximum: 100 }), Type.Null()], {
      description: 'How much is done. Null if this is unknown or does not apply.',
      examples: [null],
    }),
    at: Type.String({ format: 'date-time', description: 'When it began, or when it failed.' }),
    cause: Type.Union([Type.String(), Type.Null()], {
      description: 'Why it failed, as a code or a sentence. Null while it runs.',
      examples: ['The file has no column for the identity.'],
    }),
    failed: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'How many items or rows failed. Null if this does not apply.',
      examples: [3],
    }),
  },
  { description: 'One piece of work.' },
);

/** The query of the state of the pipeline. */
export const PipelineStateQuery = Type.Object(
  {
    failed_since: Type.Optional(
      Type.String({
        format: 'date-time',
        'x-blank-is-absent': true,
        description: 'Failures from this moment on. Default: the last 24 hours.',
        examples: ['2026-01-30T00:00:00Z'],
      }),
    ),
  },
  { additionalProperties: false },
);

/** Number of failures of each kind that are listed. */
export const listedFailures = 5;

/** The answer of the state of the pipeline. */
export const PipelineState = Type.Object(
  {
    waiting_requests: count('Requests of the account that wait, counted up to 10,000.', 0),
    waiting_items: count('Items in these requests.', 0),
    lag_seconds: Type.Number({
      minimum: 0,
      description: 'How long the oldest request has waited. 0 if none waits.',
      examples: [0],
    }),
    workers: count('Worker processes that run now.', 1),
    running: Type.Array(Work, { description: 'Imports and exports that wait or run, newest first; at most 50.' }),
    failed_since: Type.String({ format: 'date-time' }),
    failures: Type.Array(
      Type.Object(
        {
          kind: Type.Enum([...workKinds]),
          count: count('How many failed, counted up to 1,000.', 1),
          latest: Type.Array(Work, {
            maxItems: listedFailures,
            description: `The newest ${listedFailures}.`,
          }),
        },
        { description: 'Failures of one kind.' },
      ),
      {
        description:
          'One row for each kind that has failures. `request`, `import`, `bulk_change`: also those in which only some items failed. Kinds that the caller cannot read are left out.',
      },
    ),
  },
  { $id: 'PipelineState', description: 'What an account waits for, what runs now, and what failed.' },
);

export type ContactGrowth = Static<typeof ContactGrowth>;
export type ActivityStatistics = Static<typeof ActivityStatistics>;
export type MessageStatistics = Static<typeof MessageStatistics>;
export type MessageActivity = Static<typeof MessageActivity>;
export type PipelineState = Static<typeof PipelineState>;
export type ContactGrowthQuery = Static<typeof ContactGrowthQuery>;
export type ActivityStatisticsQuery = Static<typeof ActivityStatisticsQuery>;
export type ListMessageStatisticsQuery = Static<typeof ListMessageStatisticsQuery>;
export type ListMessageActivitiesQuery = Static<typeof ListMessageActivitiesQuery>;
export type PipelineStateQuery = Static<typeof PipelineStateQuery>;
/** Kind of work. */
export type WorkKind = (typeof workKinds)[number];
