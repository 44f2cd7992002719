/** What the examples ask for. */
const asked = { primary_key: 'asha@example.com', channel: 'email', from_date: '26012026', to_date: '01022026' };

/** Request bodies of the user activity operation for the documentation. */
export const userActivityExamples = {
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
export const userActivityOtherBodies = {
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
export const userActivityAnswerExamples = {
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
