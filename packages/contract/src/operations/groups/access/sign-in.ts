import { Session, SecondFactorBody, SetUpBody, SignInAnswer, SignInBody } from '../../../shapes/access/sign-in.ts';
import { operation } from '../../definition/operation.ts';

/** Signing in and out. These operations need no credential. */
export const signInOperations = {
  getSession: operation({
    generation: 'sign-in',
    method: 'GET',
    path: '/admin/v1/session',
    repeat: 'harmless',
    tag: 'Sign-in',
    summary: 'Get the session',
    description:
      'Returns the person whose session the cookie names, with the accounts and permissions of the person. Without a session, `person` is null.',
    answer: Session,
  }),

  setUp: operation({
    generation: 'sign-in',
    method: 'POST',
    path: '/admin/v1/set-up',
    repeat: 'unsafe',
    tag: 'Sign-in',
    summary: 'Create the first owner',
    description:
      'Creates the owner of all existing accounts, who is also the installation administrator, and signs the owner in. The service prints a link with the token when it starts without an owner. The link works once, and only until there is an owner.',
    body: SetUpBody,
    examples: {
      owner: {
        summary: 'The first owner',
        value: {
          token: '2Hn0cVq7Ue3XyZ5bT9mKfLw1RsAo4Pd6JgEi8CvNxQk',
          name: 'Asha Rao',
          email: 'asha@example.com',
          password: 'correct horse battery staple',
        },
      },
    },
    answer: Session,
    errors: ['invalid_link', 'too_many_sign_ins'],
  }),

  signIn: operation({
    generation: 'sign-in',
    method: 'POST',
    path: '/admin/v1/session',
    repeat: 'unsafe',
    tag: 'Sign-in',
    summary: 'Sign in with a password',
    description:
      'Checks an e-mail address and a password, and sets the cookie of a new session. If the person has an authenticator app, the session begins with its code. The answer to a wrong password and to an unknown address is the same. An address that failed too often must wait.',
    body: SignInBody,
    examples: {
      password: {
        summary: 'A person with a password',
        value: { email: 'asha@example.com', password: 'correct horse battery staple' },
      },
    },
    answer: SignInAnswer,
    errors: ['sign_in_failed', 'too_many_sign_ins'],
  }),

  sendSecondFactor: operation({
    generation: 'sign-in',
    method: 'POST',
    path: '/admin/v1/session/second-factor',
    repeat: 'unsafe',
    tag: 'Sign-in',
    summary: 'Complete a sign-in with a code',
    description:
      'Checks a code of the authenticator app or a recovery code after the password, and sets the cookie of a new session. Each code works once.',
    body: SecondFactorBody,
    examples: {
      app: { summary: 'A code of the authenticator app', value: { code: '123456' } },
      recovery: { summary: 'A recovery code', value: { code: 'q7hd-2mzk-x4vb-9tnc' } },
    },
    answer: SignInAnswer,
    errors: ['sign_in_failed', 'sign_in_expired', 'too_many_sign_ins'],
  }),

  signOut: operation({
    generation: 'sign-in',
    method: 'DELETE',
    path: '/admin/v1/session',
    repeat: 'harmless',
    tag: 'Sign-in',
    summary: 'Sign out',
    description: 'Ends the session of the cookie. Without a session, it does nothing.',
    status: 204,
  }),
};
