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
        contacts: [{ identity: 'asha@example.com', audience_details: [{ audience_id: [1], audience_type: 'list' }] }],
      },
    },
  },
};

/** Request bodies of contact search for the documentation. */
export const searchExamples = {
  list: {
    summary: 'Identified contacts of a list, newest first',
    value: {
      filtering_criteria_operator: 'or',
      filtering_criteria: [
        {
          condition_operator: 'and',
          condition_details: [
            { field: 'contact_type', field_category: 'config', operation: 'equals', value: ['identified'] },
            { field: 'list_id', field_category: 'audience', operation: 'equals', value: [1] },
          ],
        },
      ],
      output: {
        get_count: true,
        sorting: [{ field: 'created_at', direction: 'desc' }],
        pagination: { page: 1, limit: 10 },
        fields: ['EMAIL', 'MOBILE', 'CITY'],
      },
    },
  },
  attribute: {
    summary: 'By an attribute',
    value: {
      filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value: ['Pune', 'Mumbai'] }] }],
      output: { fields: ['contact_id', 'EMAIL', 'CITY'] },
    },
  },
  everything: { summary: 'All contacts, default fields', value: {} },
};

/** Request bodies of search within an audience for the documentation. */
export const searchAudienceExamples = {
  list: {
    summary: 'Members of a list from one city',
    value: {
      audience_type: 'list',
      audience_id: [1],
      filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value: ['Pune'] }] }],
      output: { get_count: true, fields: ['EMAIL', 'CITY'] },
    },
  },
};
