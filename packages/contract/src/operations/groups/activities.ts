import { RecordActivitiesBody } from '../../shapes/contacts/activities.ts';
import { AcceptedAnswer } from '../../shapes/common/envelope.ts';
import {
  UserActivityAnswer,
  UserActivityBody,
  userActivityDays,
  UserActivityQuery,
} from '../../shapes/contacts/user-activity.ts';
import { operation } from '../definition/operation.ts';
import { requestFailures } from '../definition/request-failures.ts';

/** Request bodies of the recording of activities for the documentation; each is sent by a test. */
const recordExamples = {
  mail: {
    summary: 'A mail that was sent, opened and followed',
    value: {
      data: [
        {
          identity: 'asha@example.com',
          channel: 'email',
          activity: 'sent',
          occurred_at: '2026-01-30T09:00:00Z',
          id: 'evt-1',
          message_id: 4711,
          msg_name: 'Winter offers',
        },
        {
          identity: 'asha@example.com',
          channel: 'email',
          activity: 'open',
          occurred_at: '2026-01-30T09:12:41Z',
          id: 'evt-2',
          message_id: 4711,
          msg_name: 'Winter offers',
          ip: '203.0.113.7',
          device: 'Mobile',
          os: 'Android 16',
          browser: 'Chrome 141',
        },
        {
          identity: 'asha@example.com',
          channel: 'email',
          activity: 'click',
          occurred_at: '2026-01-30T09:13:05Z',
          id: 'evt-3',
          message_id: 4711,
          msg_name: 'Winter offers',
          ip: '203.0.113.7',
          device: 'Mobile',
          os: 'Android 16',
          browser: 'Chrome 141',
          link: 'https://shop.example.com/winter',
        },
      ],
    },
  },
  bounce: {
    summary: 'A mobile number that is gone, and an opt-out',
    value: {
      data: [
        {
          identity: 'ravi@example.com',
          channel: 'sms',
          activity: 'bounce',
          bounce_type: 'hard',
          occurred_at: '2026-01-31T08:00:00Z',
        },
        {
          identity: 'mei@example.com',
          channel: 'email',
          activity: 'unsubscribe',
          occurred_at: '2026-01-31T08:30:00+05:30',
        },
      ],
    },
  },
};

/** The same as bodies of lines, which no shape can describe. */
const recordLines = {
  schema: { type: 'string', description: 'One item of `data` a line, as JSON.' },
  examples: Object.fromEntries(
    Object.entries(recordExamples).map(([name, { summary, value }]) => [
      name,
      { summary, value: value.data.map((item) => JSON.stringify(item)).join('\n') },
    ]),
  ),
};

/** What the examples ask for. */
const asked = { primary_key: 'asha@example.com', channel: 'email', from_date: '26012026', to_date: '01022026' };

/** Request bodies of the user activity operation for the documentation. */
const userActivityExamples = {
  text: { summary: '`data` as JSON text', value: { data: JSON.stringify(asked) } },
  object: {
    summary: 'Everything in the body, `data` as an object',
    value: {
      type: 'export_data',
      activity: 'get_user_channel_activity_data',
      apikey: 'rk_4fT9aQm2Xv7LdPz0WcYh8KsE3nRbUg6j',
      data: asked,
    },
  },
};

const data = JSON.stringify(asked);

/** Request bodies that are not JSON. */
const userActivityOtherBodies = {
  'application/x-www-form-urlencoded': {
    schema: { $ref: '#/components/schemas/UserActivityBody' },
    examples: { form: { summary: 'A form', value: { data } } },
  },
  'text/plain': {
    schema: { type: 'string', description: 'The text `data=` and the JSON, with any content type.' },
    examples: { literal: { summary: 'Neither encoded nor JSON as a whole', value: `data=${data}` } },
  },
};

/** Answers of the user activity operation for the documentation. */
const userActivityAnswerExamples = {
  activities: {
    summary: 'A mail that was opened and followed',
    value: {
      status: 'success',
      result: {
        channel_activity: [
          {
            activity: 'click',
            message_id: 4711,
            msg_name: 'Winter offers',
            activity_date: '30 Jan 2026 @2:43pm',
            ip: '203.0.113.7',
            device: 'Mobile',
            os: 'Android 16',
            browser: 'Chrome 141',
            link: 'https://shop.example.com/winter',
          },
          {
            activity: 'open',
            message_id: 4711,
            msg_name: 'Winter offers',
            activity_date: '30 Jan 2026 @2:42pm',
            ip: '203.0.113.7',
            device: 'Mobile',
            os: 'Android 16',
            browser: 'Chrome 141',
          },
          { activity: 'sent', message_id: 4711, msg_name: 'Winter offers', activity_date: '30 Jan 2026 @2:30pm' },
        ],
        from_date: '26012026',
        to_date: '01022026',
        channel: 'email',
      },
      details: 'Data fetched successfully',
    },
  },
  none: {
    summary: 'Nothing, or nobody',
    value: {
      status: 'success',
      result: { channel_activity: [], from_date: '26012026', to_date: '01022026', channel: 'sms' },
      details: 'Data fetched successfully',
    },
  },
};

/** What was sent to people and what they did. */
export const activityOperations = {
  recordActivities: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/activities',
    repeat: 'unsafe',
    tag: 'Activities',
    summary: 'Record activities',
    description: [
      'Accepts what was sent to people and what they did, 1 to 10,000 records a request. It is stored durably before the answer and applied in the order of acceptance, among the requests of the account; **Requests** shows what became of each record (`created`, or `unchanged` for one that repeats another). To repeat a record, send it as it was: it is known by `identity`, `channel`, `occurred_at` and `id` together.',
      'The body is JSON, or `application/x-ndjson` with one record a line, where faults name the line. Both may be packed with gzip (`Content-Encoding: gzip`); unpacked, a body has at most 16 MiB.',
      'Records may come late and in any order, also for identities that no contact has yet: they show when the contact appears. They follow a contact whose identity changes, and are deleted with it. What happened before such a change may still come under the old identity: it reaches the contact, unless somebody else has that identity now.',
      '`unsubscribe`, `spam` and a `bounce` that is `hard` opt the contact out of `email`, `sms` or `whatsapp`; on `email` it becomes `blacklisted`. One from before the contact last came back to the channel changes nothing. For an identity that no contact has yet, the opt-out applies when the contact appears. Push channels have no opt-out.',
    ].join('\n\n'),
    body: RecordActivitiesBody,
    examples: recordExamples,
    otherBodies: { 'application/x-ndjson': recordLines },
    answer: AcceptedAnswer,
    failures: requestFailures['activity.record'],
  }),

  getUserActivity: operation({
    generation: 'apiv2',
    method: 'POST',
    path: '/apiv2',
    scope: 'activity:read',
    repeat: 'harmless',
    tag: 'Activities',
    summary: 'Get the activity of a person',
    description: [
      `Answers what was sent to one person on one channel, and what the person did, in at most ${userActivityDays} days: the answer to a data-subject access request. Needs an API key with the scope \`activity:read\`. A person that is not known has no activities, which is no error.`,
      'The parameters `type`, `activity`, `apikey` and `data` are taken from the query or from the body; the query wins. The body is read by what it looks like, whatever its content type says: as JSON, as a form (URL-encoded or in parts), or as the text `data={…}`, percent-encoded or not. Proxies write addresses into their logs: a key is safer in the body.',
      'Days are those of the time zone of the account. Activities of a person whose identity changed are found by the new one; those of a deleted contact are gone.',
    ].join('\n\n'),
    query: UserActivityQuery,
    body: UserActivityBody,
    examples: userActivityExamples,
    otherBodies: userActivityOtherBodies,
    answer: UserActivityAnswer,
    answerExamples: userActivityAnswerExamples,
    errors: ['too_many_activities'],
  }),
};
