import { PageQuery, pageAnswer } from '../../../shapes/common/paging.ts';
import { AddPasskeyBody, exampleNewPasskey, Passkey, PasskeyOptions } from '../../../shapes/access/passkeys.ts';
import {
  AuthenticatorSecret,
  ChangePasswordBody,
  ConfirmationBody,
  ConfirmAuthenticatorBody,
  CreatedPersonalToken,
  CreatePersonalTokenBody,
  LeaveAccountBody,
  RecoveryCodes,
  UpdateOwnProfileBody,
} from '../../../shapes/access/profile.ts';
import { SignedInPerson } from '../../../shapes/access/sign-in.ts';
import { operation } from '../../definition/operation.ts';

const own = { generation: 'operator', permission: 'signed-in', tag: 'Profile' } as const;
const sensitive = ['confirmation_required', 'session_required'] as const;
const needsConfirmation =
  'Needs a sign-in within the last ten minutes, or a confirmation (**Confirm who you are**). A personal access token cannot do this.';

/** What people do with their own user. */
export const ownProfileOperations = {
  getOwnProfile: operation({
    ...own,
    method: 'GET',
    path: '/admin/v1/me',
    repeat: 'harmless',
    summary: 'Get the own profile',
    description: 'Returns the person who sends the request, with the accounts and permissions of the person.',
    answer: SignedInPerson,
  }),

  updateOwnProfile: operation({
    ...own,
    method: 'PATCH',
    path: '/admin/v1/me',
    repeat: 'harmless',
    summary: 'Change the own profile',
    description: 'Changes the name or the language.',
    body: UpdateOwnProfileBody,
    examples: { language: { summary: 'German', value: { language: 'de' } } },
    answer: SignedInPerson,
    errors: ['session_required'],
  }),

  confirmSignIn: operation({
    ...own,
    method: 'POST',
    path: '/admin/v1/me/confirmation',
    repeat: 'unsafe',
    summary: 'Confirm who you are',
    description:
      'Checks the password, or a code of the authenticator app. Sensitive changes are then possible for ten minutes in this session. Failures count like failed sign-ins.',
    body: ConfirmationBody,
    examples: { password: { summary: 'By the password', value: { password: 'correct horse battery staple' } } },
    status: 204,
    errors: ['confirmation_failed', 'session_required', 'too_many_sign_ins'],
  }),

  changePassword: operation({
    ...own,
    method: 'POST',
    path: '/admin/v1/me/password',
    repeat: 'unsafe',
    summary: 'Change the own password',
    description: `Sets a new password, and ends all other sessions. ${needsConfirmation}`,
    body: ChangePasswordBody,
    examples: { password: { summary: 'A new password', value: { new_password: 'a new and longer password' } } },
    status: 204,
    errors: sensitive,
  }),

  leaveAccount: operation({
    ...own,
    method: 'POST',
    path: '/admin/v1/me/leave',
    repeat: 'harmless',
    summary: 'Leave an account',
    description: 'Ends the own membership in an account. The last owner of an account cannot leave it.',
    body: LeaveAccountBody,
    examples: { account: { summary: 'Account 1', value: { account_id: 1 } } },
    status: 204,
    errors: ['not_found', 'conflict', 'session_required'],
  }),

  listOwnSessions: operation({
    ...own,
    method: 'GET',
    path: '/admin/v1/me/sessions',
    repeat: 'harmless',
    summary: 'List the own sessions',
    description: 'Lists where the person is signed in, ordered by `session_id`.',
    query: PageQuery,
    answer: pageAnswer('OwnSession'),
  }),

  endOwnSession: operation({
    ...own,
    method: 'DELETE',
    path: '/admin/v1/me/sessions/{session_id}',
    repeat: 'harmless',
    summary: 'End a session',
    description: 'Ends one session of the person at once.',
    status: 204,
    errors: ['session_required'],
  }),

  endOtherSessions: operation({
    ...own,
    method: 'DELETE',
    path: '/admin/v1/me/sessions',
    repeat: 'harmless',
    summary: 'End all other sessions',
    description: 'Ends all sessions of the person at once, except the session of this request.',
    status: 204,
    errors: ['session_required'],
  }),

  startAuthenticator: operation({
    ...own,
    method: 'POST',
    path: '/admin/v1/me/two-factor',
    repeat: 'unsafe',
    summary: 'Begin with an authenticator app',
    description: `Returns a secret for an authenticator app. Nothing changes until a code of the app confirms it. ${needsConfirmation}`,
    answer: AuthenticatorSecret,
    errors: [...sensitive, 'conflict'],
  }),

  confirmAuthenticator: operation({
    ...own,
    method: 'POST',
    path: '/admin/v1/me/two-factor/confirm',
    repeat: 'unsafe',
    summary: 'Confirm an authenticator app',
    description:
      'Checks a first code of the app. From then on, a sign-in with the password needs a code. The answer has ten recovery codes.',
    body: ConfirmAuthenticatorBody,
    examples: { code: { summary: 'The code that the app shows', value: { code: '123456' } } },
    answer: RecoveryCodes,
    errors: [...sensitive, 'confirmation_failed', 'conflict', 'too_many_sign_ins'],
  }),

  removeAuthenticator: operation({
    ...own,
    method: 'DELETE',
    path: '/admin/v1/me/two-factor',
    repeat: 'harmless',
    summary: 'Remove the authenticator app',
    description: `Removes the authenticator app and the recovery codes. ${needsConfirmation}`,
    status: 204,
    errors: sensitive,
  }),

  getNewPasskeyOptions: operation({
    ...own,
    method: 'POST',
    path: '/admin/v1/me/passkey-options',
    repeat: 'harmless',
    summary: 'Begin with a passkey',
    description: `Returns what the browser needs to create a passkey. ${needsConfirmation}`,
    answer: PasskeyOptions,
    errors: sensitive,
  }),

  addPasskey: operation({
    ...own,
    method: 'POST',
    path: '/admin/v1/me/passkeys',
    repeat: 'unsafe',
    summary: 'Add a passkey',
    description: 'Adds the passkey that the browser has created.',
    body: AddPasskeyBody,
    examples: { laptop: { summary: 'A passkey of a laptop', value: exampleNewPasskey } },
    status: 201,
    answer: Passkey,
    errors: [...sensitive, 'confirmation_failed', 'sign_in_expired', 'conflict'],
  }),

  listPasskeys: operation({
    ...own,
    method: 'GET',
    path: '/admin/v1/me/passkeys',
    repeat: 'harmless',
    summary: 'List the own passkeys',
    description: 'Lists the passkeys of the person, ordered by `passkey_id`.',
    query: PageQuery,
    answer: pageAnswer('Passkey'),
  }),

  deletePasskey: operation({
    ...own,
    method: 'DELETE',
    path: '/admin/v1/me/passkeys/{passkey_id}',
    repeat: 'harmless',
    summary: 'Remove a passkey',
    description: `Removes a passkey. ${needsConfirmation}`,
    status: 204,
    errors: sensitive,
  }),

  createPersonalToken: operation({
    ...own,
    method: 'POST',
    path: '/admin/v1/me/tokens',
    repeat: 'unsafe',
    summary: 'Create a personal access token',
    description: `Creates a token for programs. At each request, it has the rights that its person has at that moment. The token is shown only in this answer. A person can have 50 tokens. ${needsConfirmation}`,
    body: CreatePersonalTokenBody,
    examples: {
      simple: { summary: 'All accounts, no end', value: { name: 'Reports' } },
      restricted: {
        summary: 'One account, until a date',
        value: { name: 'Reports of Acme', account_ids: [1], expires_at: '2027-01-31T00:00:00Z' },
      },
    },
    status: 201,
    answer: CreatedPersonalToken,
    errors: [...sensitive, 'conflict'],
  }),

  listPersonalTokens: operation({
    ...own,
    method: 'GET',
    path: '/admin/v1/me/tokens',
    repeat: 'harmless',
    summary: 'List the own tokens',
    description: 'Lists the personal access tokens, ordered by `token_id`. It never shows the tokens themselves.',
    query: PageQuery,
    answer: pageAnswer('PersonalToken'),
  }),

  deletePersonalToken: operation({
    ...own,
    method: 'DELETE',
    path: '/admin/v1/me/tokens/{token_id}',
    repeat: 'harmless',
    summary: 'Delete a personal access token',
    description: 'Deletes a token. It stops working at once.',
    status: 204,
    errors: ['session_required'],
  }),
};
