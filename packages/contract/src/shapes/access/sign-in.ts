import { Type, type Static } from 'typebox';
import { passwordLength } from '../../text/password-length.ts';
import { permissions, roles, type Role } from '../common/permissions.ts';

/** The languages of the console. */
export const languages = ['en', 'de'] as const;

/** The names of the roles. */
export const roleNames = Object.keys(roles) as [Role, ...Role[]];

export { passwordLength };

/** The shape of a field with an e-mail address of a person. */
export const personEmail = (description: string) =>
  Type.String({ format: 'email', maxLength: 254, description, examples: ['asha@example.com'] });

/** The shape of the name of a person. */
export const personName = {
  minLength: 1,
  maxLength: 255,
  'x-plain-name': true,
  description: 'Name for people.',
  examples: ['Asha Rao'],
};

/** The shape of a field with an existing password. Too short texts are only wrong, not invalid. */
export const password = Type.String({
  minLength: 1,
  maxLength: 1000,
  'x-keep-space': true,
  description: 'The password.',
  examples: ['correct horse battery staple'],
});

/** The shape of a field with a new password. */
export const newPassword = Type.String({
  minLength: passwordLength.minimum,
  maxLength: passwordLength.maximum,
  'x-keep-space': true,
  description: `The new password: ${passwordLength.minimum} to ${passwordLength.maximum} characters. It must not be the e-mail address.`,
  examples: ['correct horse battery staple'],
});

/** The shape of the secret part of a link. */
export const linkToken = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'The part of the link after `#token=`.',
  examples: ['2Hn0cVq7Ue3XyZ5bT9mKfLw1RsAo4Pd6JgEi8CvNxQk'],
});

const exampleAccounts = [
  { account_id: 1, name: 'Acme India', role: 'owner', unmasked: false, permissions: ['contacts:read'] },
];

/** An account in which a person has a role. */
export const PersonAccount = Type.Object(
  {
    account_id: Type.Integer({ examples: [1] }),
    name: Type.String({ description: 'Name of the account.', examples: ['Acme India'] }),
    role: Type.Enum(roleNames, { description: 'Role of the person in the account.' }),
    unmasked: Type.Boolean({ description: 'True: the person sees the values of masked attributes.' }),
    permissions: Type.Array(Type.Enum([...permissions]), {
      description: 'What the person may do in the account. It has `unmasked` if that is granted.',
    }),
  },
  { $id: 'PersonAccount', description: 'An account in which the person has a role.' },
);

/** The person who is signed in. */
export const SignedInPerson = Type.Object(
  {
    user_id: Type.Integer({ examples: [7] }),
    name: Type.String(personName),
    email: personEmail('Address for signing in.'),
    language: Type.Union([Type.Enum([...languages]), Type.Null()], {
      description: 'Language of the console. Null: the language of the browser.',
    }),
    is_installation_admin: Type.Boolean({ description: 'True: the person sees and manages all accounts.' }),
    has_password: Type.Boolean({ description: 'False: the person signs in with a passkey or single sign-on.' }),
    has_second_factor: Type.Boolean({ description: 'True: the sign-in with a password also needs a code.' }),
    accounts: Type.Array(PersonAccount, { description: 'Accounts with a role.', examples: [exampleAccounts] }),
  },
  { $id: 'SignedInPerson', description: 'The person who is signed in.' },
);

/** Who is signed in, and what the sign-in page offers. */
export const Session = Type.Object(
  {
    person: Type.Union([SignedInPerson, Type.Null()], { description: 'Null: nobody is signed in.' }),
    needs_set_up: Type.Boolean({
      description: 'True: there is no owner yet. The service prints a link that creates the owner.',
      examples: [false],
    }),
    single_sign_on: Type.Union([Type.Object({ name: Type.String({ examples: ['Example login'] }) }), Type.Null()], {
      description: 'The identity provider. Null: there is none.',
    }),
    public_url: Type.Union([Type.String({ examples: ['https://roster.example.com'] }), Type.Null()], {
      description:
        'Address of the service in links and at the identity provider. Null: `ROSTER_PUBLIC_URL` is not set.',
    }),
    mail: Type.Boolean({ description: 'True: the service can send mails, such as links for a new password.' }),
  },
  { $id: 'Session', description: 'Who is signed in, and what the sign-in page offers.' },
);

/** Body of the set-up: the first owner. */
export const SetUpBody = Type.Object(
  {
    token: linkToken,
    name: Type.String(personName),
    email: personEmail('Address for signing in.'),
    password: newPassword,
  },
  { $id: 'SetUpBody', description: 'The first owner of the installation.', additionalProperties: false },
);

/** Body of a sign-in with a password. */
export const SignInBody = Type.Object(
  {
    email: Type.String({
      minLength: 1,
      maxLength: 254,
      description: 'The e-mail address.',
      examples: ['asha@example.com'],
    }),
    password,
  },
  { $id: 'SignInBody', description: 'A sign-in with a password.', additionalProperties: false },
);

/** Answer of a sign-in with a password. */
export const SignInAnswer = Type.Object(
  {
    status: Type.Enum(['signed_in', 'second_factor'], {
      description: '`second_factor`: the password is right. Send a code within ten minutes.',
    }),
  },
  { $id: 'SignInAnswer', description: 'How the sign-in continues.' },
);

/** Body with a code of the authenticator app, or a recovery code. */
export const SecondFactorBody = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'A code of the authenticator app, or a recovery code.',
      examples: ['123456'],
    }),
  },
  { $id: 'SecondFactorBody', description: 'The second step of a sign-in.', additionalProperties: false },
);

export type PersonAccount = Static<typeof PersonAccount>;
export type SignedInPerson = Static<typeof SignedInPerson>;
export type Session = Static<typeof Session>;
export type SetUpBody = Static<typeof SetUpBody>;
export type SignInBody = Static<typeof SignInBody>;
export type SignInAnswer = Static<typeof SignInAnswer>;
export type SecondFactorBody = Static<typeof SecondFactorBody>;
