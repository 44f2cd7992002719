import { RecordActivitiesBody } from '../../shapes/contacts/activities.ts';
import { AcceptedAnswer } from '../../shapes/common/envelope.ts';
import {
  UserActivityAnswer,
  UserActivityBody,
  userActivityDays,
  UserActivityQuery,
} from '../../shapes/contacts/user-activity.ts';
import { acceptedExamples } from '../definition/accepted-answers.ts';
import { operation } from '../definition/operation.ts';
import { requestFailures } from '../definition/request-failures.ts';

/** Example bodies of recording activities. A test sends each of them. */
const recordExamples = {
  mail: {
    summary: 'A mail that was sent, opened and clicked',
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
    summary: 'A mobile number that no longer exists, and an opt-out',
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

/** The same bodies as NDJSON, which a JSON schema cannot describe. */
const recordLines = {
  schema: { type: 'string', description: 'Each line is one item of `data`, as JSON.' },
  examples: Object.fromEntries(
    Object.entries(recordExamples).map(([name, { summary, value }]) => [
      name,
      { summary, value: value.data.map((item) => JSON.stringify(item)).join('\n') },
    ]),
  ),
};

/** The object `data` of the examples. */
const asked = { primary_key: 'asha@example.com', channel: 'email', from_date: '26012026', to_date: '01022026' };

/** Example bodies of the user activity operation. */
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

/** Example bodies that are not JSON. */
const userActivityOtherBodies = {
  'application/x-www-form-urlencoded': {
    schema: { $ref: '#/components/schemas/UserActivityBody' },
    examples: { form: { summary: 'A form', value: { data } } },
  },
  'text/plain': {
    schema: { type: 'string', description: 'The text `data=` followed by the JSON, with any content type.' },
    examples: { literal: { summary: 'The text `data=` and JSON, not encoded', value: `data=${data}` } },
  },
};

/** Example answers of the user activity operation. */
const userActivityAnswerExamples = {
  activities: {
    summary: 'A mail that was opened and clicked',
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
    summary: 'No activities, or an unknown person',
    value: {
      status: 'success',
      result: { channel_activity: [], from_date: '26012026', to_date: '01022026', channel: 'sms' },
      details: 'Data fetched successfully',
    },
  },
};

/** Recording and reading activities. */
export const activityOperations = {
  recordActivities: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/activities',
    permission: 'activity:write',
    repeat: 'unsafe',
    tag: 'Activities',
    summary: 'Record activities',
    description: [
      'Accepts 1 to 10,000 records of messages that were sent to people and of what the people did. The request is on disk before the answer. All requests of an account are applied in the order of acceptance. **Get a request** shows the outcome: `created`, or `unchanged` for a repeated record.',
      'To repeat a record safely, send it again without a change. Two records are the same if `identity`, `channel`, `occurred_at` and `id` are equal.',
      'The body is JSON, or `application/x-ndjson` with one record on each line. Faults of NDJSON name the line. Both forms can be compressed with gzip (`Content-Encoding: gzip`). An uncompressed body has up to 16 MiB.',
      'Records can arrive late and in any order. If no contact has the identity yet, the record shows when the contact is created. Records stay with a contact whose identity changes. They are deleted with the contact. A record from before the change can still be sent under the old identity. It reaches the contact, unless another contact has that identity now.',
      '`unsubscribe`, `spam` and a `hard` `bounce` opt the contact out of `email`, `sms` or `whatsapp`. On `email`, the contact also becomes `blacklisted`. Opt-outs dated before the last re-subscribe are ignored, even if they arrive later. If no contact has the identity yet, the opt-out applies when the contact is created. Push channels have no opt-out.',
    ].join('\n\n'),
    body: RecordActivitiesBody,
    examples: recordExamples,
    otherBodies: { 'application/x-ndjson': recordLines },
    answer: AcceptedAnswer,
    answerExamples: acceptedExamples,
    waits: true,
    failures: requestFailures['activity.record'],
  }),

  getUserActivity: operation({
    generation: 'apiv2',
    method: 'POST',
    path: '/apiv2',
    permission: 'activity:read',
    repeat: 'harmless',
    tag: 'Activities',
    summary: 'Get the activity of a person',
    description: [
      `Returns the activities of one person on one channel, in up to ${userActivityDays} days. Use it for data-subject access requests. The API key needs the scope \`activity:read\`. An unknown person has no activities. This is not an error.`,
      'Send the parameters `type`, `activity`, `apikey` and `data` in the query or in the body. The query wins. The body can be JSON, a form (URL-encoded or multipart), or the text `data={…}`, percent-encoded or not. The service detects the form of the body and ignores the content type. Proxies write URLs to their logs, so a key is safer in the body.',
      'With `type=contact` or `type=erasure_user_data`, the same address serves calls of older clients, also by GET: see `docs/contract/older-calls.md`.',
      'Days are counted in the time zone of the account. If the identity of a person changed, use the new identity. The activities of a deleted contact are deleted.',
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
