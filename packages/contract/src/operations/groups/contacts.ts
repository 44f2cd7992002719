import { CreateContactsBody, DeleteContactsBody, UpdateContactsBody } from '../../shapes/contacts/contacts.ts';
import { AcceptedAnswer } from '../../shapes/common/envelope.ts';
import { SearchAnswer, SearchAudienceBody, SearchContactsBody } from '../../shapes/contacts/search.ts';
import { operation } from '../definition/operation.ts';
import { requestFailures } from '../definition/request-failures.ts';

/** Request bodies of contact create for the documentation; each is sent by a test. */
const createExamples = {
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
const updateExamples = {
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
const deleteExamples = {
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
const searchExamples = {
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
const searchAudienceExamples = {
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

/** Writing and searching contacts. */
export const contactOperations = {
  createContacts: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/contact/create',
    scope: 'contacts:write',
    repeat: 'with-key',
    tag: 'Contacts',
    summary: 'Create contacts',
    description:
      'Accepts 1 to 1000 contacts. One whose identity exists is merged: given fields replace, `attributes` merge key by key, lists are added, subscriptions change, null clears. Each anonymous entry is a new contact. Repeating an identity within the request merges in order.\n\nA contact that is created or merged with `subscriptions.email: false` is `blacklisted`; `true` gives it the type back that it had before.',
    body: CreateContactsBody,
    examples: createExamples,
    answer: AcceptedAnswer,
    failures: requestFailures['contact.create'],
    errors: ['contact_exists'],
  }),

  updateContacts: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/contact/update',
    scope: 'contacts:write',
    repeat: 'with-key',
    tag: 'Contacts',
    summary: 'Update contacts',
    description:
      'Accepts changes of 1 to 1000 contacts. The first of `contact_id`, `identity`, `email`, `mobile` that is present finds the contact, the others are new values; they merge as in create.\n\nThe type of a contact changes with what happens to it: an anonymous contact that gets an `identity` becomes `identified`, `subscriptions.email: false` makes any contact `blacklisted`, `true` gives it the type back that it had before. `data.contact_type` asks for nothing but says what the contacts must be then.',
    body: UpdateContactsBody,
    examples: updateExamples,
    answer: AcceptedAnswer,
    failures: requestFailures['contact.update'],
  }),

  deleteContacts: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/contact/delete',
    scope: 'contacts:write',
    repeat: 'with-key',
    tag: 'Contacts',
    summary: 'Delete contacts',
    description:
      'Accepts 1 to 1000 contacts to delete, with their memberships and activity. A contact with `audience_details` only leaves those lists. Whatever else looks as if less than the contact were meant (a list under another name, an attribute, a filter) is refused: ignoring it would delete the contact.',
    body: DeleteContactsBody,
    examples: deleteExamples,
    answer: AcceptedAnswer,
    failures: requestFailures['contact.delete'],
  }),

  searchContacts: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/contact/search',
    scope: 'contacts:read',
    repeat: 'harmless',
    tag: 'Contacts',
    summary: 'Search contacts',
    description:
      'Answers the contacts that match all or any of the condition groups, sorted and page by page. No match is an empty `data`.',
    body: SearchContactsBody,
    examples: searchExamples,
    answer: SearchAnswer,
    errors: ['answer_too_large', 'too_many_searches', 'search_timeout'],
  }),

  searchAudience: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/contact/audience/search',
    scope: 'contacts:read',
    repeat: 'harmless',
    tag: 'Contacts',
    summary: 'Search within an audience',
    description: 'Answers the contacts of the named lists or segments that match; otherwise as contact search.',
    body: SearchAudienceBody,
    examples: searchAudienceExamples,
    answer: SearchAnswer,
    errors: ['answer_too_large', 'too_many_searches', 'search_timeout'],
  }),
};
