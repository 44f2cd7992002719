import { CreateContactsBody, DeleteContactsBody, UpdateContactsBody } from '../../shapes/contacts/contacts.ts';
import { FindContactsAnswer, FindContactsQuery, foundContacts } from '../../shapes/contacts/find-contacts.ts';
import { AcceptedAnswer } from '../../shapes/common/envelope.ts';
import { SearchAnswer, SearchAudienceBody, SearchContactsBody } from '../../shapes/contacts/search.ts';
import { acceptedExamples } from '../definition/accepted-answers.ts';
import { operation } from '../definition/operation.ts';
import { requestFailures } from '../definition/request-failures.ts';

/** Example bodies of contact create. A test sends each of them. */
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

/** Example bodies of contact update. */
const updateExamples = {
  attributes: {
    summary: 'Change one attribute and clear another',
    value: { data: { contacts: [{ identity: 'asha@example.com', attributes: { CITY: 'Mumbai', GENDER: null } }] } },
  },
  lists: {
    summary: 'Remove a contact from a list',
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

/** Example bodies of contact delete. */
const deleteExamples = {
  contact: {
    summary: 'Delete a contact',
    value: { data: { contacts: [{ identity: 'ravi@example.com' }] } },
  },
  membership: {
    summary: 'Remove a contact from a list',
    value: {
      data: {
        contacts: [{ identity: 'asha@example.com', audience_details: [{ audience_id: [1], audience_type: 'list' }] }],
      },
    },
  },
};

/** Example bodies of contact search. */
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

/** Example bodies of search within an audience. */
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
    permission: 'contacts:write',
    repeat: 'with-key',
    tag: 'Contacts',
    summary: 'Create contacts',
    description:
      'Accepts 1 to 1000 contacts. An item whose identity exists is merged into that contact:\n\n- A field that you send replaces the old value. `null` clears it.\n- `attributes` merge name by name.\n- Lists are added. Subscriptions change.\n\nEach anonymous item is a new contact. Items with the same identity are merged in order.\n\n`subscriptions.email: false` makes a contact `blacklisted`. `true` restores the type that it had before.',
    body: CreateContactsBody,
    examples: createExamples,
    answer: AcceptedAnswer,
    answerExamples: acceptedExamples,
    waits: true,
    failures: requestFailures['contact.create'],
    errors: ['contact_exists'],
  }),

  updateContacts: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/contact/update',
    permission: 'contacts:write',
    repeat: 'with-key',
    tag: 'Contacts',
    summary: 'Update contacts',
    description:
      'Accepts changes of 1 to 1000 contacts. The first of `contact_id`, `identity`, `email`, `mobile` that is present finds the contact. The other fields are new values, which merge as in create.\n\nThe changes of an item can change the type of the contact:\n\n- An anonymous contact that gets an `identity` becomes `identified`.\n- `subscriptions.email: false` makes any contact `blacklisted`. `true` restores the type that it had before.\n\n`data.contact_type` is a check, not a change. A contact that would not have this type after the update fails.',
    body: UpdateContactsBody,
    examples: updateExamples,
    answer: AcceptedAnswer,
    answerExamples: acceptedExamples,
    waits: true,
    failures: requestFailures['contact.update'],
  }),

  deleteContacts: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/contact/delete',
    permission: 'contacts:write',
    repeat: 'with-key',
    tag: 'Contacts',
    summary: 'Delete contacts',
    description:
      'Accepts 1 to 1000 contacts to delete, with their list memberships and activities. A contact with `audience_details` only leaves those lists and is not deleted. Unknown keys are refused. Otherwise, a misspelled `audience_details` would delete the contact.',
    body: DeleteContactsBody,
    examples: deleteExamples,
    answer: AcceptedAnswer,
    answerExamples: acceptedExamples,
    waits: true,
    failures: requestFailures['contact.delete'],
  }),

  searchContacts: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/contact/search',
    permission: 'contacts:read',
    repeat: 'harmless',
    tag: 'Contacts',
    summary: 'Search contacts',
    description:
      'Returns the contacts that match all or any of the condition groups, sorted, page by page. If no contact matches, `data` is empty.',
    body: SearchContactsBody,
    examples: searchExamples,
    answer: SearchAnswer,
    errors: ['answer_too_large', 'too_many_searches', 'search_timeout'],
  }),

  findContacts: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/contacts',
    permission: 'contacts:read',
    repeat: 'harmless',
    tag: 'Contacts',
    summary: 'Find contacts by the beginning of a value',
    description: `Returns up to ${foundContacts} contacts whose e-mail address, mobile number or identity begins with a text, or whose \`contact_id\` is the text. Exact matches come first. It uses only indexes, so it is fast in an account of any size.

It does not find:

- text in the middle or at the end of a value, such as the domain of an address
- names and other attributes
- mobile numbers without their country code
- a primary key other than EMAIL in another letter case
- values that are masked for the caller

To find these, use contact search.`,
    query: FindContactsQuery,
    answer: FindContactsAnswer,
    errors: ['too_many_searches', 'search_timeout'],
  }),

  searchAudience: operation({
    generation: 'v5',
    method: 'POST',
    path: '/v5/contact/audience/search',
    permission: 'contacts:read',
    repeat: 'harmless',
    tag: 'Contacts',
    summary: 'Search within an audience',
    description:
      'Returns the contacts of the named lists or segments that match the filter. Everything else works as in contact search.',
    body: SearchAudienceBody,
    examples: searchAudienceExamples,
    answer: SearchAnswer,
    errors: ['answer_too_large', 'too_many_searches', 'search_timeout'],
  }),
};
