import { PageQuery, pageAnswer } from '../../../shapes/common/paging.ts';
import {
  CreatedInvitation,
  CreateInvitationBody,
  invitationsPerAccount,
  ListUsersQuery,
  Member,
  RequestPasswordResetBody,
  SecretLink,
  UpdateMemberBody,
  UpdateUserBody,
  User,
} from '../../../shapes/access/members.ts';
import { operation } from '../../definition/operation.ts';

const rules =
  'Only an owner can make somebody an owner, change or remove an owner, or grant unmasked values. Nobody can raise their own role.';

const confirmed =
  'A person needs a sign-in within the last ten minutes, or a confirmation (**Confirm who you are**). A personal access token cannot do this.';

/** The members of an account, invitations, and the users of the installation. */
export const memberOperations = {
  listMembers: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/members',
    permission: 'members:read',
    repeat: 'harmless',
    tag: 'Members',
    summary: 'List the members',
    description: 'Lists the people with a role in the account, ordered by `user_id`.',
    query: PageQuery,
    answer: pageAnswer('Member'),
  }),

  updateMember: operation({
    generation: 'operator',
    method: 'PATCH',
    path: '/admin/v1/accounts/{account_id}/members/{user_id}',
    permission: 'members:write',
    repeat: 'harmless',
    tag: 'Members',
    summary: 'Change a member',
    description: `Changes the role of a member, or grants unmasked values. It takes effect at the next request of the member, in every process. The last owner keeps the role: 409. ${rules}`,
    body: UpdateMemberBody,
    examples: { role: { summary: 'An editor', value: { role: 'editor' } } },
    answer: Member,
    errors: ['conflict'],
  }),

  removeMember: operation({
    generation: 'operator',
    method: 'DELETE',
    path: '/admin/v1/accounts/{account_id}/members/{user_id}',
    permission: 'members:write',
    repeat: 'harmless',
    tag: 'Members',
    summary: 'Remove a member',
    description: `Ends a membership. It takes effect at the next request of the member. The last owner stays: 409. ${rules}`,
    status: 204,
    errors: ['conflict'],
  }),

  createInvitation: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/invitations',
    permission: 'members:write',
    repeat: 'unsafe',
    tag: 'Members',
    summary: 'Invite a person',
    description: `Sends a link by mail that makes a person a member. Without a mail server, the answer has the link. The link works once, for 7 days. A new invitation to an address replaces the one before. An account can have up to ${invitationsPerAccount} open invitations. ${rules}`,
    body: CreateInvitationBody,
    examples: {
      editor: { summary: 'An editor', value: { email: 'lena@example.com', role: 'editor' } },
      privacy: {
        summary: 'A privacy officer who sees all values',
        value: { email: 'noor@example.com', role: 'privacy', unmasked: true },
      },
    },
    status: 201,
    answer: CreatedInvitation,
    errors: ['conflict'],
  }),

  listInvitations: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/invitations',
    permission: 'members:read',
    repeat: 'harmless',
    tag: 'Members',
    summary: 'List the invitations',
    description: 'Lists the invitations that were not accepted yet, ordered by `invitation_id`.',
    query: PageQuery,
    answer: pageAnswer('Invitation'),
  }),

  deleteInvitation: operation({
    generation: 'operator',
    method: 'DELETE',
    path: '/admin/v1/accounts/{account_id}/invitations/{invitation_id}',
    permission: 'members:write',
    repeat: 'harmless',
    tag: 'Members',
    summary: 'Withdraw an invitation',
    description: 'Deletes an invitation. Its link stops working.',
    status: 204,
  }),

  listUsers: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/users',
    permission: 'installation',
    repeat: 'harmless',
    tag: 'Members',
    summary: 'List the users',
    description: 'Lists all users of the installation with their accounts, ordered by `user_id`.',
    query: ListUsersQuery,
    answer: pageAnswer('User'),
  }),

  updateUser: operation({
    generation: 'operator',
    method: 'PATCH',
    path: '/admin/v1/users/{user_id}',
    permission: 'installation',
    repeat: 'harmless',
    tag: 'Members',
    summary: 'Change a user',
    description: `Disables or enables a user, or makes the user an installation administrator. A disabled user loses all sessions at once, and tokens do not work. The last installation administrator keeps the role: 409. Making an administrator: ${confirmed}`,
    body: UpdateUserBody,
    examples: { enable: { summary: 'Enable a user', value: { is_disabled: false } } },
    answer: User,
    errors: ['conflict', 'confirmation_required', 'session_required'],
  }),

  deleteUser: operation({
    generation: 'operator',
    method: 'DELETE',
    path: '/admin/v1/users/{user_id}',
    permission: 'installation',
    repeat: 'harmless',
    tag: 'Members',
    summary: 'Delete a user',
    description: `Deletes a user with all sessions, tokens, passkeys, roles and private saved views. The audit log keeps the number of the user. The last owner of an account, the last installation administrator and the caller cannot be deleted: 409. ${confirmed}`,
    status: 204,
    errors: ['conflict', 'confirmation_required', 'session_required'],
  }),

  endUserSessions: operation({
    generation: 'operator',
    method: 'DELETE',
    path: '/admin/v1/users/{user_id}/sessions',
    permission: 'installation',
    repeat: 'harmless',
    tag: 'Members',
    summary: 'End the sessions of a user',
    description: 'Ends all sessions of a user at once. The user can sign in again. Personal access tokens still work.',
    status: 204,
  }),

  removeUserSecondFactor: operation({
    generation: 'operator',
    method: 'DELETE',
    path: '/admin/v1/users/{user_id}/two-factor',
    permission: 'installation',
    repeat: 'harmless',
    tag: 'Members',
    summary: 'Remove the second factor of a user',
    description: `Removes the authenticator app and the recovery codes of a user who has lost them, and ends all sessions of the user. Passkeys stay. ${confirmed}`,
    status: 204,
    errors: ['confirmation_required', 'session_required'],
  }),

  createSetUpLink: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/set-up-links',
    permission: 'installation',
    repeat: 'unsafe',
    tag: 'Members',
    summary: 'Make a link that creates the first owner',
    description:
      'Returns a new link, like the one that the service prints when it starts. The link before stops working. When there is a user already: 409.',
    status: 201,
    answer: SecretLink,
    errors: ['conflict'],
  }),

  createPasswordResetLink: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/password-reset-links',
    permission: 'installation',
    repeat: 'unsafe',
    tag: 'Members',
    summary: 'Make a link that sets a new password',
    description:
      'Returns a link for a person who is locked out while no mail server is configured. Give it only to that person. It works once, for an hour. An authenticator app is still needed at the sign-in. ' +
      confirmed,
    body: RequestPasswordResetBody,
    examples: { address: { summary: 'A user', value: { email: 'asha@example.com' } } },
    status: 201,
    answer: SecretLink,
    errors: ['not_found', 'confirmation_required', 'session_required'],
  }),
};
