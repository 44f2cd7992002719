import { ContactTypeAnswer, CreateSignUpBody, SignUp } from '../../shapes/people/sign-ups.ts';
import { PageQuery, pageAnswer } from '../../shapes/common/paging.ts';
import { operation } from '../definition/operation.ts';

/** Sign-ups, and blocking contacts. */
export const lifecycleOperations = {
  createSignUp: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/sign-ups',
    permission: 'contacts:write',
    repeat: 'unsafe',
    tag: 'Lifecycle',
    summary: 'Sign up a contact',
    description:
      'Creates the contact as `unconfirmed` and mails it a link. The link confirms the contact. It works once, within 48 hours. An existing contact does not change until the link is used. Then the fields, attributes and lists of the sign-up are merged into it. The answer does not reveal whether the address is known. An address gets up to 3 mails an hour and 6 a day.',
    body: CreateSignUpBody,
    examples: {
      newsletter: {
        summary: 'Sign up for a list',
        value: {
          email: 'lena@example.com',
          attributes: { FIRST_NAME: 'Lena' },
          audience_details: [{ audience_id: [1], audience_type: 'list' }],
        },
      },
    },
    status: 201,
    answer: SignUp,
    errors: ['rate_limited'],
  }),

  listSignUps: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/sign-ups',
    permission: 'privacy:read',
    repeat: 'harmless',
    tag: 'Lifecycle',
    summary: 'List sign-ups that wait',
    description: 'Lists the sign-ups whose link was not used and has not expired, newest first.',
    query: PageQuery,
    answer: pageAnswer('WaitingSignUp'),
  }),

  blockContact: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/contacts/{contact_id}/block',
    permission: 'contacts:write',
    repeat: 'harmless',
    tag: 'Lifecycle',
    summary: 'Block a contact',
    description:
      'Makes the contact `blacklisted`. Waits for the requests that were accepted before. Opt-outs do not change.',
    answer: ContactTypeAnswer,
    errors: ['pipeline_busy'],
  }),

  unblockContact: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/contacts/{contact_id}/unblock',
    permission: 'contacts:write',
    repeat: 'harmless',
    tag: 'Lifecycle',
    summary: 'Unblock a contact',
    description:
      'Restores the type that a `blacklisted` contact had before. Waits for the requests that were accepted before. Opt-outs do not change. Only an opt-in of the contact removes them.',
    answer: ContactTypeAnswer,
    errors: ['pipeline_busy'],
  }),
};
