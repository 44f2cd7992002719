/** Request bodies of the recording of activities for the documentation; each is sent by a test. */
export const recordExamples = {
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
export const recordLines = {
  schema: { type: 'string', description: 'One item of `data` a line, as JSON.' },
  examples: Object.fromEntries(
    Object.entries(recordExamples).map(([name, { summary, value }]) => [
      name,
      { summary, value: value.data.map((item) => JSON.stringify(item)).join('\n') },
    ]),
  ),
};
