import { Type, type Static } from 'typebox';
import { activityKinds, channels } from './activities.ts';
import { bodyLimits } from '../common/body-limits.ts';

/** Values of the parameters `type` and `activity`. */
const userActivityWords = { type: 'export_data', activity: 'get_user_channel_activity_data' } as const;

/** Maximum number of days of a period, including the first and the last day. */
export const userActivityDays = 7;

/**
 * Maximum number of activities in an answer. A person gets a few thousand messages a week on a
 * channel at most.
 */
export const userActivitiesPerAnswer = 50_000;

const type = Type.Optional(Type.Enum([userActivityWords.type], { description: 'Always `export_data`.' }));
const activity = Type.Optional(
  Type.Enum([userActivityWords.activity], { description: 'Always `get_user_channel_activity_data`.' }),
);

/** The parameters that the query or the body must have. */
export const UserActivityWords = Type.Required(Type.Object({ type, activity }));

/** The query of the operation. It can also have the API key, which is read as a credential. */
export const UserActivityQuery = Type.Object({ type, activity });

const day = (what: string, example: string, note = '') =>
  Type.Unsafe<string>({
    type: 'string',
    format: 'day-digits',
    description: `${what} of the period, DDMMYYYY, in the time zone of the account.${note}`,
    examples: [example],
  });

/** The parameter `data`. */
export const UserActivityData = Type.Object(
  {
    primary_key: Type.Unsafe<string>({
      type: ['string', 'number'],
      format: 'identity',
      description: "Value of the account's primary key.",
      'x-hint': 'Send the value of the primary key of the person',
      examples: ['asha@example.com'],
    }),
    channel: Type.Enum([...channels]),
    from_date: day('First day', '26012026'),
    to_date: day('Last day', '01022026', ` A period has up to ${userActivityDays} days.`),
  },
  { $id: 'UserActivityData', description: 'The person, the channel and the days of the activities to return.' },
);

/** Body of the operation, as JSON. */
export const UserActivityBody = Type.Object(
  {
    data: Type.Unsafe<unknown>({
      anyOf: [
        { type: 'string', description: 'The object as JSON text.' },
        { $ref: 'UserActivityData#', description: 'The object itself.' },
      ],
      description:
        'The object with `primary_key`, `channel`, `from_date` and `to_date`. `fromdate` and `todate` are accepted, too.',
      examples: ['{"primary_key":"asha@example.com","channel":"email","from_date":"26012026","to_date":"01022026"}'],
    }),
    type,
    activity,
    apikey: Type.Optional(Type.String({ description: 'The API key, unless it is in the query.' })),
  },
  {
    $id: 'UserActivityBody',
    description: 'The parameters of the request. All of them can also be in the query.',
    'x-body': bodyLimits.parameters,
  },
);

const ofThePerson = { description: 'Present for `open`, `click`, `unsubscribe` and `spam`, if the value is known.' };

/** One activity of a person. Keys that do not apply are absent. */
export const UserActivity = Type.Object(
  {
    activity: Type.Enum([...activityKinds]),
    message_id: Type.Optional(Type.Integer({ examples: [4711] })),
    msg_name: Type.Optional(Type.String({ examples: ['Winter offers'] })),
    activity_date: Type.String({
      description: 'When it happened, in the time zone of the account.',
      examples: ['30 Jan 2026 @2:42pm'],
    }),
    ip: Type.Optional(Type.String({ ...ofThePerson, examples: ['203.0.113.7'] })),
    device: Type.Optional(Type.String({ ...ofThePerson, examples: ['Mobile'] })),
    os: Type.Optional(Type.String({ ...ofThePerson, examples: ['Android 16'] })),
    browser: Type.Optional(Type.String({ ...ofThePerson, examples: ['Chrome 141'] })),
    link: Type.Optional(
      Type.String({ description: 'Only for `click`.', examples: ['https://shop.example.com/winter'] }),
    ),
  },
  { $id: 'UserActivity', description: 'One activity of a person.' },
);

/** Answer of the operation. */
export const UserActivityAnswer = Type.Object(
  {
    status: Type.Literal('success'),
    result: Type.Object({
      channel_activity: Type.Array(Type.Ref('UserActivity'), { description: 'Newest first.' }),
      from_date: Type.String({ examples: ['26012026'] }),
      to_date: Type.String({ examples: ['01022026'] }),
      channel: Type.Enum([...channels]),
    }),
    details: Type.String({ examples: ['Data fetched successfully'] }),
  },
  { $id: 'UserActivityAnswer', description: 'The activity of a person.' },
);

/** Error answer of apiv2. */
export const UserActivityErrorAnswer = Type.Object(
  {
    status: Type.Literal('error'),
    result: Type.String({ description: 'Kind of the error.', examples: ['Invalid request'] }),
    details: Type.String({
      description: 'What is wrong and what to do. Each fault of the request is one sentence.',
      examples: ['data.channel must be one of email, sms, whatsapp, app_push, web_push'],
    }),
  },
  { $id: 'UserActivityErrorAnswer', description: 'An error of apiv2.' },
);

/**
 * The parameter `data`, after reading: `from_date` and `to_date` are existing days, as eight
 * digits.
 */
export type UserActivityData = Static<typeof UserActivityData>;
/** One activity of a person. */
export type UserActivity = Static<typeof UserActivity>;
/** The activities of a person. */
export type UserActivityAnswer = Static<typeof UserActivityAnswer>;
