import { UpdateContactBody } from '../../../shapes/contacts/contacts.ts';
import {
  ContactChanged,
  ContactProfile,
  ContactTimeline,
  ContactTimelineQuery,
} from '../../../shapes/people/profiles.ts';
import { operation } from '../../definition/operation.ts';

/** One contact as operators see it: its profile, its timeline, and changing it. */
export const profileOperations = {
  getContact: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/contacts/{contact_id}',
    permission: 'contacts:read',
    repeat: 'harmless',
    entityTag: 'answer',
    tag: 'Contact profiles',
    summary: 'Get a contact',
    description:
      'Returns a contact with all attributes, its lists and segments, its opt-outs, its former identities, and why it has its type. The header `ETag` and the field `version` have the version of the contact.',
    answer: ContactProfile,
    errors: ['too_many_searches', 'search_timeout'],
  }),

  updateContact: operation({
    generation: 'operator',
    method: 'PATCH',
    path: '/admin/v1/accounts/{account_id}/contacts/{contact_id}',
    permission: 'contacts:write',
    repeat: 'unsafe',
    entityTag: 'change',
    tag: 'Contact profiles',
    summary: 'Change a contact',
    description: [
      'Changes fields, attributes, lists and opt-outs of one contact. Waits for the requests that were accepted before, up to 30 s, and returns the contact after the change.',
      'With the header `If-Match` and the version that you read, the change is only made if nobody changed the contact since. This is checked when the change is applied. Otherwise the answer is 412 with the present contact in `current`, and nothing is changed.',
      'A value that does not fit its attribute, an unknown attribute and an unknown list are refused with 400, and nothing is changed.',
    ].join('\n\n'),
    body: UpdateContactBody,
    examples: {
      city: { summary: 'Set an attribute', value: { attributes: { CITY: 'Pune' } } },
      list: {
        summary: 'Add the contact to a list, and opt it out of SMS',
        value: { audience_details: [{ audience_id: [1], action: 'add' }], subscriptions: { sms: false } },
      },
    },
    answer: ContactChanged,
    errors: ['conflict', 'too_many_searches', 'search_timeout', 'pipeline_busy'],
  }),

  listContactTimeline: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/contacts/{contact_id}/timeline',
    permission: 'contacts:read',
    repeat: 'harmless',
    tag: 'Contact profiles',
    summary: 'List the timeline of a contact',
    description:
      'Lists what happened to a contact, newest first: activities on all channels, requests that named it, and changes of its type, identity and opt-outs. Requests are listed as long as they are kept (`ROSTER_REQUEST_RETENTION_DAYS`), activities as long as the account keeps them, and changes as long as the contact exists. Activities also need the permission `activity:read`. Without it, they are left out, and refused in `kinds`. A page can have fewer entries than `limit`, even none. Continue until `next_cursor` is null.',
    query: ContactTimelineQuery,
    answer: ContactTimeline,
  }),
};
