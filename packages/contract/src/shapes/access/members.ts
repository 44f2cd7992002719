import { Type, type Static } from 'typebox';
import { pageQueryProperties } from '../common/paging.ts';
import { linkToken, newPassword, personEmail, personName, roleNames } from './sign-in.ts';
import { moment } from '../common/fields.ts';

const role = { description: 'Role in the account.', examples: ['editor'] };
const unmasked = { description: 'True: the person sees the values of masked attributes.', examples: [false] };

/** A member of an account. */
export const Member = Type.Object(
  {
    user_id: Type.Integer({ examples: [7] }),
    name: Type.String(personName),
    email: personEmail('Address for signing in.'),
    role: Type.Enum(roleNames, role),
    unmasked: Type.Boolean(unmasked),
    has_second_factor: Type.Boolean({
      description: 'True: the person has an authenticator app or a passkey.',
      examples: [true],
    }),
    is_disabled: Type.Boolean({ description: 'True: the person cannot sign in.', examples: [false] }),
    last_seen_at: Type.Union([moment('When the person last used a session.'), Type.Null()]),
    created_at: moment('When the person became a member.'),
  },
  { $id: 'Member', description: 'A member of an account.' },
);

/** Body of a change of a member. It has at least one field. */
export const UpdateMemberBody = Type.Object(
  {
    role: Type.Optional(Type.Enum(roleNames, { ...role, 'x-refuse-null': true })),
    unmasked: Type.Optional(Type.Boolean({ ...unmasked, 'x-refuse-null': true })),
  },
  {
    $id: 'UpdateMemberBody',
    description: 'Changes of a member. Fields that are absent do not change.',
    additionalProperties: false,
    minProperties: 1,
  },
);

/** Maximum number of invitations to an account that have not expired. */
export const invitationsPerAccount = 1000;

/** Body of an invitation. */
export const CreateInvitationBody = Type.Object(
  {
    email: personEmail('Address of the person.'),
    role: Type.Enum(roleNames, role),
    unmasked: Type.Optional(Type.Boolean({ ...unmasked, default: false })),
  },
  { $id: 'CreateInvitationBody', description: 'An invitation to an account.', additionalProperties: false },
);

const invitationProperties = {
  invitation_id: Type.Integer({ examples: [1] }),
  email: personEmail('Address of the person.'),
  role: Type.Enum(roleNames, role),
  unmasked: Type.Boolean(unmasked),
  status: Type.Enum(['open', 'expired']),
  author: Type.String({ description: 'Who invited, as in the audit log.', examples: ['user:7'] }),
  created_at: moment('When the person was invited.'),
  expires_at: moment('When the link stops working.'),
};

/** An invitation that was not accepted yet. */
export const Invitation = Type.Object(invitationProperties, {
  $id: 'Invitation',
  description: 'An invitation that was not accepted yet.',
});

/** Answer of an invitation. The link is shown only here. */
export const CreatedInvitation = Type.Object(
  {
    ...invitationProperties,
    link: Type.Union(
      [Type.String({ examples: ['https://roster.example.com/console/invitation#token=2Hn0cVq7Ue3X'] }), Type.Null()],
      {
        description:
          'The link, if no mail server is configured. Send it to the person. It is shown only in this answer. Null: the person gets a mail.',
      },
    ),
  },
  { $id: 'CreatedInvitation', description: 'A new invitation.' },
);

/** Body with the token of an invitation. */
export const InvitationTokenBody = Type.Object(
  { token: linkToken },
  { $id: 'InvitationTokenBody', description: 'The token of an invitation.', additionalProperties: false },
);

/** What an invitation offers, for the page that its link opens. */
export const InvitationOffer = Type.Object(
  {
    account_id: Type.Integer({ description: 'Number of the account.', examples: [1] }),
    account_name: Type.String({ description: 'Name of the account.', examples: ['Acme India'] }),
    email: personEmail('Address that was invited.'),
    role: Type.Enum(roleNames, role),
    has_user: Type.Boolean({
      description: 'True: this address has a user, who must sign in to accept. False: name and password are needed.',
    }),
    expires_at: moment('When the link stops working.'),
  },
  { $id: 'InvitationOffer', description: 'What an invitation offers.' },
);

/** Body of accepting an invitation. */
export const AcceptInvitationBody = Type.Object(
  {
    token: linkToken,
    name: Type.Optional(Type.String(personName)),
    password: Type.Optional(newPassword),
  },
  {
    $id: 'AcceptInvitationBody',
    description: 'Accepts an invitation. A new person needs `name` and `password`. A signed-in person needs none.',
    additionalProperties: false,
  },
);

/** Body of a request for a link that sets a new password. */
export const RequestPasswordResetBody = Type.Object(
  { email: personEmail('Address for signing in.') },
  { $id: 'RequestPasswordResetBody', description: 'The address of a person.', additionalProperties: false },
);

/** Body of setting a new password by a link. */
export const CompletePasswordResetBody = Type.Object(
  { token: linkToken, password: newPassword },
  { $id: 'CompletePasswordResetBody', description: 'A new password.', additionalProperties: false },
);

/** A link that an operator gives to a person. */
export const SecretLink = Type.Object(
  {
    link: Type.String({
      description: 'The link. It is shown only in this answer.',
      examples: ['https://roster.example.com/console/set-up#token=2Hn0cVq7Ue3X'],
    }),
  },
  { $id: 'SecretLink', description: 'A link that works once.' },
);

/** A user of the installation. */
export const User = Type.Object(
  {
    user_id: Type.Integer({ examples: [7] }),
    name: Type.String(personName),
    email: personEmail('Address for signing in.'),
    is_installation_admin: Type.Boolean({ description: 'True: the person sees and manages all accounts.' }),
    is_disabled: Type.Boolean({ description: 'True: the person cannot sign in.', examples: [false] }),
    has_second_factor: Type.Boolean({ description: 'True: the person has an authenticator app or a passkey.' }),
    has_password: Type.Boolean({ description: 'False: the person uses single sign-on.' }),
    accounts: Type.Array(
      Type.Object({
        account_id: Type.Integer({ examples: [1] }),
        name: Type.String({ examples: ['Acme India'] }),
        role: Type.Enum(roleNames, role),
        unmasked: Type.Boolean(unmasked),
      }),
      { description: 'The accounts in which the person has a role.' },
    ),
    session_count: Type.Integer({ minimum: 0, description: 'Number of open sessions.', examples: [1] }),
    last_seen_at: Type.Union([moment('When the person last used a session that is still open.'), Type.Null()]),
    created_at: moment('When the user was created.'),
  },
  { $id: 'User', description: 'A user of the installation.' },
);

/** Query of listing the users. */
export const ListUsersQuery = Type.Object(
  {
    ...pageQueryProperties,
    contains: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        'x-blank-is-absent': true,
        description: 'Only users whose name or address contains this text, in any letter case.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Body of a change of a user. It has at least one field. */
export const UpdateUserBody = Type.Object(
  {
    is_disabled: Type.Optional(
      Type.Boolean({ 'x-refuse-null': true, description: 'True: the person cannot sign in any more.' }),
    ),
    is_installation_admin: Type.Optional(
      Type.Boolean({ 'x-refuse-null': true, description: 'True: the person sees and manages all accounts.' }),
    ),
  },
  {
    $id: 'UpdateUserBody',
    description: 'Changes of a user. Fields that are absent do not change.',
    additionalProperties: false,
    minProperties: 1,
  },
);

export type Member = Static<typeof Member>;
export type UpdateMemberBody = Static<typeof UpdateMemberBody>;
export type CreateInvitationBody = Static<typeof CreateInvitationBody>;
export type Invitation = Static<typeof Invitation>;
export type CreatedInvitation = Static<typeof CreatedInvitation>;
export type InvitationTokenBody = Static<typeof InvitationTokenBody>;
export type InvitationOffer = Static<typeof InvitationOffer>;
export type AcceptInvitationBody = Static<typeof AcceptInvitationBody>;
export type RequestPasswordResetBody = Static<typeof RequestPasswordResetBody>;
export type CompletePasswordResetBody = Static<typeof CompletePasswordResetBody>;
export type User = Static<typeof User>;
export type ListUsersQuery = Static<typeof ListUsersQuery>;
export type UpdateUserBody = Static<typeof UpdateUserBody>;
export type SecretLink = Static<typeof SecretLink>;
