import { ContactTypeAnswer, CreateSignUpBody, SignUp } from '../../shapes/people/sign-ups.ts';
import { operation } from '../definition/operation.ts';

/** Sign-ups, and the moves between contact types that operators make. */
export const lifecycleOperations = {
  createSignUp: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/sign-ups',
    repeat: 'unsafe',
    tag: 'Lifecycle',
    summary: 'Sign a contact up',
    description:
      'Creates the contact as `unconfirmed`, unless it exists, and mails a link that confirms it, once, within 48 hours. A contact that exists stays as it is until the link is opened; then the fields, attributes and lists of the sign-up are merged into it. The answer does not tell whether the address is known. An address gets at most 3 mails an hour and 6 a day.',
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

  blockContact: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/contacts/{contact_id}/block',
    repeat: 'harmless',
    tag: 'Lifecycle',
    summary: 'Block a contact',
    description:
      'Makes the contact `blacklisted`, after every request that was accepted before. Its opt-outs stay as they are.',
    answer: ContactTypeAnswer,
    errors: ['pipeline_busy'],
  }),

  unblockContact: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/contacts/{contact_id}/unblock',
    repeat: 'harmless',
    tag: 'Lifecycle',
    summary: 'Unblock a contact',
    description:
      'Gives a `blacklisted` contact the type back that it had before. Opt-outs stay: they are the wish of the contact, which it can take back by an opt-in.',
    answer: ContactTypeAnswer,
    errors: ['pipeline_busy'],
  }),
};
