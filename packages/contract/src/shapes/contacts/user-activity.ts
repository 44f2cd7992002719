import { Type, type Static } from 'typebox';
import { activityKinds, channels } from './activities.ts';
import { bodyLimits } from '../common/body-limits.ts';

/** Words of the parameters `type` and `activity`. */
export const userActivityWords = { type: 'export_data', activity: 'get_user_channel_activity_data' } as const;

/** Most days of a period, both ends counted. */
export const userActivityDays = 7;

/** Most activities of an answer. A person gets some thousand messages a week on a channel at the very most. */
export const userActivitiesPerAnswer = 50_000;

const type = Type.Optional(Type.Enum([userActivityWords.type], { description: 'Always `export_data`.' }));
const activity = Type.Optional(
  Type.Enum([userActivityWords.activity], { description: 'Always `get_user_channel_activity_data`.' }),
);

/** The parameters that are given in the query or in the body. */
export const UserActivityWords = Type.Required(Type.Object({ type, activity }));

/** The query of the operation. The API key, which may be in it too, is a credential. */
export const UserActivityQuery = Type.Object({ type, activity });

const day = (what: string, example: string) =>
  Type.Unsafe<string>({
    type: 'string',
    format: 'day-digits',
    description: `${what} of the period, DDMMYYYY, in the time zone of the account.`,
    examples: [example],
  });

/** What `data` says. */
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
    to_date: day(`Last day, at most ${userActivityDays} days with the first one,`, '01022026'),
  },
  { $id: 'UserActivityData', description: 'Whose activity to return, on which channel and days.' },
);

/** Body of the operation, as JSON. */
export const UserActivityBody = Type.Object(
  {
    data: Type.Unsafe<unknown>({
      anyOf: [
        { type: 'string', description: 'The object below as JSON text.' },
        { $ref: 'UserActivityData#', description: 'The object itself is accepted, too.' },
      ],
      description:
        'What is asked for: `primary_key`, `channel`, `from_date`, `to_date` (`fromdate`, `todate` are accepted).',
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

const onOpenAndClick = { description: 'Where the person did something, and it is known.' };

/** One activity of a person; keys that do not apply are absent. */
export const UserActivity = Type.Object(
  {
    activity: Type.Enum([...activityKinds]),
    message_id: Type.Optional(Type.Integer({ examples: [4711] })),
    msg_name: Type.Optional(Type.String({ examples: ['Winter offers'] })),
    activity_date: Type.String({
      description: 'When it happened, in the time zone of the account.',
      examples: ['30 Jan 2026 @2:42pm'],
    }),
    ip: Type.Optional(Type.String({ ...onOpenAndClick, examples: ['203.0.113.7'] })),
    device: Type.Optional(Type.String({ ...onOpenAndClick, examples: ['Mobile'] })),
    os: Type.Optional(Type.String({ ...onOpenAndClick, examples: ['Android 16'] })),
    browser: Type.Optional(Type.String({ ...onOpenAndClick, examples: ['Chrome 141'] })),
    link: Type.Optional(Type.String({ description: 'Of a click.', examples: ['https://shop.example.com/winter'] })),
  },
  { $id: 'UserActivity', description: 'One activity of a person.' },
);

/** Success. */
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
    result: Type.String({ description: 'What kind of error it is.', examples: ['Invalid request'] }),
    details: Type.String({
      description: 'What is wrong and what to do; every fault of the request, each a sentence.',
      examples: ['data.channel must be one of email, sms, whatsapp, app_push, web_push'],
    }),
  },
  { $id: 'UserActivityErrorAnswer', description: 'An error of apiv2.' },
);

/** What `data` says, read: `from_date` and `to_date` are days of the calendar, as eight digits. */
export type UserActivityData = Static<typeof UserActivityData>;
/** One activity of a person. */
export type UserActivity = Static<typeof UserActivity>;
/** The activity of a person, as it is returned. */
export type UserActivityAnswer = Static<typeof UserActivityAnswer>;
