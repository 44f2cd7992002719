/** Request bodies of contact create for the documentation; each is sent by a test. */
export const createExamples = {
  one: {
    summary: 'One identified contact',
    value: {
      data: {
        contact_type: 'identified',
        contacts: [
          {
            identity: 'asha@example.com',
            email: 'asha@example.com',
            mobile: '919812345678',
            attributes: { FIRST_NAME: 'Asha', CITY: 'Pune', BIRTH_DATE: '1994-03-09' },
            audience_details: [{ audience_id: [1], audience_type: 'list' }],
          },
        ],
      },
    },
  },
  many: {
    summary: 'Several contacts',
    value: {
      data: {
        contact_type: 'identified',
        contacts: [{ identity: 'ravi@example.com' }, { identity: 'mei@example.com', attributes: { CITY: 'Taipei' } }],
      },
    },
  },
  anonymous: {
    summary: 'An anonymous contact',
    value: {
      data: { contact_type: 'anonymous', contacts: [{ email: 'someone@example.com', mobile: '919800000001' }] },
    },
  },
};

/** Request bodies of contact update for the documentation. */
export const updateExamples = {
  attributes: {
    summary: 'Change an attribute and clear another',
    value: { data: { contacts: [{ identity: 'asha@example.com', attributes: { CITY: 'Mumbai', GENDER: null } }] } },
  },
  lists: {
    summary: 'Move between lists',
    value: {
      data: {
        contacts: [
          {
            identity: 'asha@example.com',
            audience_details: [{ audience_id: [1], audience_type: 'list', action: 'remove' }],
          },
        ],
      },
    },
  },
  optOut: {
    summary: 'Opt out of a channel',
    value: { data: { contacts: [{ email: 'ravi@example.com', subscriptions: { sms: false } }] } },
  },
};

/** Request bodies of contact delete for the documentation. */
export const deleteExamples = {
  contact: {
    summary: 'Delete a contact',
    value: { data: { contacts: [{ identity: 'ravi@example.com' }] } },
  },
  membership: {
    summary: 'Take a contact out of a list',
    value: {
      data: {
        contacts: [{ identity: 'asha@example.com', audience_details: [{ audience_id: 1, audience_type: 'list' }] }],
      },
    },
  },
};
