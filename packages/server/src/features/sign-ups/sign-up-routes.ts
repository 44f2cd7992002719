import { CreateSignUpBody, SignUp } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { accountParams } from '#features/accounts/account-routes.ts';
import { serveAdmin } from '#platform/http/operations/admin.ts';
import type { Service } from '#platform/http/server/service.ts';
import { createSignUp } from './sign-ups.ts';

/** The operation that begins a double opt-in (decisions §8, §9). */
export function signUpRoutes(app: FastifyInstance, service: Service): void {
  serveAdmin(app, {
    method: 'POST',
    path: '/accounts/:account_id/sign-ups',
    operationId: 'createSignUp',
    tag: 'Lifecycle',
    summary: 'Sign a contact up',
    description:
      'Creates the contact as `unconfirmed`, unless it exists, and mails a link that confirms it, once, within 48 hours. A contact that exists stays as it is until the link is opened; then the fields, attributes and lists of the sign-up are merged into it. The answer does not tell whether the address is known. An address gets at most 3 mails an hour and 6 a day.',
    params: accountParams,
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
    async handle({ params: { account_id }, body, requestId }) {
      const signUp = await createSignUp(service, account_id, body, requestId);
      return {
        sign_up_id: signUp.signUpId,
        request_id: signUp.requestId,
        expires_at: signUp.expiresAt.toISOString(),
      };
    },
  });
}
