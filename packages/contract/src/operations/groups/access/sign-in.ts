import {
  AcceptInvitationBody,
  CompletePasswordResetBody,
  InvitationOffer,
  InvitationTokenBody,
  RequestPasswordResetBody,
} from '../../../shapes/access/members.ts';
import { examplePasskeySignIn, PasskeyOptions, PasskeySignInBody } from '../../../shapes/access/passkeys.ts';
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

  getPasskeyOptions: operation({
    generation: 'sign-in',
    method: 'POST',
    path: '/admin/v1/session/passkey-options',
    repeat: 'harmless',
    tag: 'Sign-in',
    summary: 'Begin a sign-in with a passkey',
    description: 'Returns what the browser needs to ask for a passkey. It names no person.',
    answer: PasskeyOptions,
    errors: ['too_many_sign_ins'],
  }),

  signInWithPasskey: operation({
    generation: 'sign-in',
    method: 'POST',
    path: '/admin/v1/session/passkey',
    repeat: 'unsafe',
    tag: 'Sign-in',
    summary: 'Sign in with a passkey',
    description:
      'Checks the answer of a passkey, and sets the cookie of a new session. It needs no password and no code: the device has verified the person.',
    body: PasskeySignInBody,
    examples: { passkey: { summary: 'The answer of a passkey', value: examplePasskeySignIn } },
    answer: SignInAnswer,
    errors: ['sign_in_failed', 'sign_in_expired', 'too_many_sign_ins'],
  }),

  requestPasswordReset: operation({
    generation: 'sign-in',
    method: 'POST',
    path: '/admin/v1/password-resets',
    repeat: 'unsafe',
    tag: 'Sign-in',
    summary: 'Ask for a new password',
    description:
      'Sends a link that sets a new password to the address, if it has a user. The answer is the same for every address. Without a mail server, nothing is sent: an operator can make a link with `roster user reset-password`.',
    body: RequestPasswordResetBody,
    examples: { address: { summary: 'An address', value: { email: 'asha@example.com' } } },
    status: 204,
    errors: ['too_many_sign_ins'],
  }),

  completePasswordReset: operation({
    generation: 'sign-in',
    method: 'POST',
    path: '/admin/v1/password-resets/complete',
    repeat: 'unsafe',
    tag: 'Sign-in',
    summary: 'Set a new password by a link',
    description:
      'Sets a new password and ends all sessions of the person. The link works once, for an hour. Then sign in: an authenticator app is still needed.',
    body: CompletePasswordResetBody,
    examples: {
      password: {
        summary: 'A new password',
        value: { token: '2Hn0cVq7Ue3XyZ5bT9mKfLw1RsAo4Pd6JgEi8CvNxQk', password: 'a new and longer password' },
      },
    },
    status: 204,
    errors: ['invalid_link', 'too_many_sign_ins'],
  }),

  lookUpInvitation: operation({
    generation: 'sign-in',
    method: 'POST',
    path: '/admin/v1/invitations/look-up',
    repeat: 'harmless',
    tag: 'Sign-in',
    summary: 'Look up an invitation',
    description: 'Returns what the link of an invitation offers. It does not use the link up.',
    body: InvitationTokenBody,
    examples: { token: { summary: 'A token', value: { token: '2Hn0cVq7Ue3XyZ5bT9mKfLw1RsAo4Pd6JgEi8CvNxQk' } } },
    answer: InvitationOffer,
    errors: ['invalid_link', 'too_many_sign_ins'],
  }),

  acceptInvitation: operation({
    generation: 'sign-in',
    method: 'POST',
    path: '/admin/v1/invitations/accept',
    repeat: 'unsafe',
    tag: 'Sign-in',
    summary: 'Accept an invitation',
    description:
      'Makes the invited person a member of the account, once. If the person is signed in, no field is needed. If somebody else is signed in, the answer is 409: sign out first. If nobody is signed in, the invitation creates a user with `name` and `password`, and signs the user in. If the address already has a user, the answer is 409: sign in first.',
    body: AcceptInvitationBody,
    examples: {
      new: {
        summary: 'A new person',
        value: {
          token: '2Hn0cVq7Ue3XyZ5bT9mKfLw1RsAo4Pd6JgEi8CvNxQk',
          name: 'Lena Weber',
          password: 'correct horse battery staple',
        },
      },
    },
    answer: Session,
    errors: ['invalid_link', 'other_person_invited', 'conflict', 'too_many_sign_ins'],
  }),
};
