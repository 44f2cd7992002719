import { Type, type Static } from 'typebox';
import { languages, newPassword, password, personName } from './sign-in.ts';
import { moment } from '../common/fields.ts';

/** Body of a change of the own profile. It has at least one field. */
export const UpdateOwnProfileBody = Type.Object(
  {
    name: Type.Optional(Type.String({ ...personName, 'x-refuse-null': true })),
    language: Type.Optional(
      Type.Union([Type.Enum([...languages]), Type.Null()], {
        description: 'Language of the console. Null: the language of the browser.',
      }),
    ),
  },
  {
    $id: 'UpdateOwnProfileBody',
    description: 'Changes of the own profile. Fields that are absent do not change.',
    additionalProperties: false,
    minProperties: 1,
  },
);

/** Body of a confirmation: the password, or a code. */
export const ConfirmationBody = Type.Object(
  {
    password: Type.Optional(password),
    code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'A code of the authenticator app, for people without a password.',
      }),
    ),
  },
  {
    $id: 'ConfirmationBody',
    description: 'Proves who sends the next changes: the password, or a code of the authenticator app.',
    additionalProperties: false,
    'x-needs-one-of': { fields: ['password', 'code'], message: 'needs the field password or code' },
  },
);

/** Body of a new password. */
export const ChangePasswordBody = Type.Object(
  { new_password: newPassword },
  { $id: 'ChangePasswordBody', description: 'A new password.', additionalProperties: false },
);

/** A session as its owner sees it. */
export const OwnSession = Type.Object(
  {
    session_id: Type.Integer({ examples: [1] }),
    is_current: Type.Boolean({ description: 'True: the session of this request.' }),
    method: Type.Enum(['password', 'passkey', 'single_sign_on', 'link'], {
      description: 'How the person signed in. `link`: by a link of a mail or of the set-up.',
    }),
    address: Type.String({ description: 'IP address of the sign-in.', examples: ['203.0.113.7'] }),
    client: Type.String({ description: 'The browser, as it names itself.', examples: ['Mozilla/5.0'] }),
    created_at: moment('When the person signed in.'),
    last_seen_at: moment('When the session was last used, to the minute.'),
    expires_at: moment('When the session ends. It ends earlier after 12 hours without a request.'),
  },
  { $id: 'OwnSession', description: 'A session of the person.' },
);

/** A secret for an authenticator app. */
export const AuthenticatorSecret = Type.Object(
  {
    secret: Type.String({ description: 'For typing it into an app.', examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'] }),
    uri: Type.String({
      description: 'For a QR code.',
      examples: ['otpauth://totp/Roster:asha%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Roster'],
    }),
  },
  { $id: 'AuthenticatorSecret', description: 'A secret for an authenticator app. It is shown only in this answer.' },
);

/** Body of the confirmation of an authenticator app. */
export const ConfirmAuthenticatorBody = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The code that the app shows now.',
      examples: ['123456'],
    }),
  },
  { $id: 'ConfirmAuthenticatorBody', description: 'A first code of the app.', additionalProperties: false },
);

/** The recovery codes of a person. */
export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String({ examples: ['q7hd-2mzk-x4xb-9tnc'] }), {
      description: 'Codes that replace the app, once each. They are shown only in this answer.',
    }),
  },
  { $id: 'RecoveryCodes', description: 'Codes that replace the authenticator app, once each.' },
);

/** Body of leaving an account. */
export const LeaveAccountBody = Type.Object(
  { account_id: Type.Integer({ minimum: 1, description: 'Number of the account.', examples: [1] }) },
  { $id: 'LeaveAccountBody', description: 'The account to leave.', additionalProperties: false },
);

const tokenName = {
  minLength: 1,
  maxLength: 255,
  'x-plain-name': true,
  description: 'Purpose of the token.',
  examples: ['Reports'],
};
const tokenAccounts = 'The token works only in these accounts. Null: in all accounts of the person.';

/** Body of a new personal access token. */
export const CreatePersonalTokenBody = Type.Object(
  {
    name: Type.String(tokenName),
    expires_at: Type.Optional(
      Type.Union([moment('A moment in the future.'), Type.Null()], {
        description: 'When the token stops working. Default: never.',
      }),
    ),
    account_ids: Type.Optional(
      Type.Union([Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 100 }), Type.Null()], {
        description: `${tokenAccounts} Default: null.`,
      }),
    ),
  },
  { $id: 'CreatePersonalTokenBody', description: 'A new personal access token.', additionalProperties: false },
);

const tokenProperties = {
  token_id: Type.Integer({ examples: [1] }),
  name: Type.String(tokenName),
  token_hint: Type.String({ description: 'The first characters of the token.', examples: ['rp_4fT9a'] }),
  status: Type.Enum(['active', 'expired']),
  account_ids: Type.Union([Type.Array(Type.Integer()), Type.Null()], { description: tokenAccounts }),
  expires_at: Type.Union([moment('When the token stops working.'), Type.Null()]),
  last_used_at: Type.Union([moment('When the token was last used, to the minute.'), Type.Null()]),
  created_at: moment('When the token was created.'),
};

/** A personal access token without its secret. */
export const PersonalToken = Type.Object(tokenProperties, {
  $id: 'PersonalToken',
  description: 'A personal access token, without the token itself.',
});

/** Answer of token creation. The token is shown only here. */
export const CreatedPersonalToken = Type.Object(
  {
    ...tokenProperties,
    token: Type.String({
      description: 'The token, for the header `Authorization: Bearer`. It is shown only in this answer.',
      examples: ['rp_4fT9aQm2Xv7LdPz0WcYh8KsE3nRbUg6jHt1oMi5yAqZ'],
    }),
  },
  { $id: 'CreatedPersonalToken', description: 'A new personal access token, which is shown only here.' },
);

export type UpdateOwnProfileBody = Static<typeof UpdateOwnProfileBody>;
export type ConfirmationBody = Static<typeof ConfirmationBody>;
export type ChangePasswordBody = Static<typeof ChangePasswordBody>;
export type OwnSession = Static<typeof OwnSession>;
export type AuthenticatorSecret = Static<typeof AuthenticatorSecret>;
export type ConfirmAuthenticatorBody = Static<typeof ConfirmAuthenticatorBody>;
export type RecoveryCodes = Static<typeof RecoveryCodes>;
export type LeaveAccountBody = Static<typeof LeaveAccountBody>;
export type CreatePersonalTokenBody = Static<typeof CreatePersonalTokenBody>;
export type PersonalToken = Static<typeof PersonalToken>;
export type CreatedPersonalToken = Static<typeof CreatedPersonalToken>;
