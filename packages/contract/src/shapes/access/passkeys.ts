import { Type, type Static } from 'typebox';

const exampleId = 'kq3l0vJXy2eQ0m5pXg8ZVQ';
const base64url = (description: string) => Type.String({ minLength: 1, maxLength: 20_000, description });

/** What the browser needs to ask for a passkey. */
export const PasskeyOptions = Type.Object(
  {
    options: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        'Options in the JSON form of WebAuthn. Give them to `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.',
      examples: [{ challenge: 'Zm9vYmFy', rpId: 'roster.example.com', userVerification: 'required' }],
    }),
  },
  { $id: 'PasskeyOptions', description: 'What the browser needs to ask for a passkey. Valid for ten minutes.' },
);

const credential = {
  id: base64url('Identifier of the passkey.'),
  rawId: base64url('The same identifier.'),
  type: Type.Literal('public-key'),
};

/** Body of a sign-in with a passkey. */
export const PasskeySignInBody = Type.Object(
  {
    response: Type.Object(
      {
        ...credential,
        response: Type.Object({
          clientDataJSON: base64url('What the browser has signed, as base64url.'),
          authenticatorData: base64url('Data of the authenticator, as base64url.'),
          signature: base64url('The signature, as base64url.'),
          userHandle: Type.Optional(base64url('The user as the passkey knows it, as base64url.')),
        }),
      },
      { description: 'The answer of the passkey: `PublicKeyCredential.toJSON()`.' },
    ),
  },
  { $id: 'PasskeySignInBody', description: 'A sign-in with a passkey.', additionalProperties: false },
);

/** Body of adding a passkey. */
export const AddPasskeyBody = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 255,
      'x-plain-name': true,
      description: 'Name for people.',
      examples: ['Laptop'],
    }),
    response: Type.Object(
      {
        ...credential,
        response: Type.Object({
          clientDataJSON: base64url('What the browser has signed, as base64url.'),
          attestationObject: base64url('The new passkey, as base64url.'),
          transports: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 10 })),
        }),
      },
      { description: 'The new passkey: `PublicKeyCredential.toJSON()`.' },
    ),
  },
  { $id: 'AddPasskeyBody', description: 'A new passkey.', additionalProperties: false },
);

/** A passkey as its owner sees it. */
export const Passkey = Type.Object(
  {
    passkey_id: Type.Integer({ examples: [1] }),
    name: Type.String({ description: 'Name for people.', examples: ['Laptop'] }),
    created_at: Type.String({ format: 'date-time', description: 'When the passkey was added.' }),
    last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the passkey was last used. Null: never.',
    }),
  },
  { $id: 'Passkey', description: 'A passkey, without its keys.' },
);

/** Example of a sign-in with a passkey. */
export const examplePasskeySignIn = {
  response: {
    id: exampleId,
    rawId: exampleId,
    type: 'public-key',
    response: { clientDataJSON: 'eyJ0eXBlIjoi', authenticatorData: 'SZYN5YgOjGh0', signature: 'MEUCIQDx' },
  },
};

/** Example of a new passkey. */
export const exampleNewPasskey = {
  name: 'Laptop',
  response: {
    id: exampleId,
    rawId: exampleId,
    type: 'public-key',
    response: { clientDataJSON: 'eyJ0eXBlIjoi', attestationObject: 'o2NmbXRkbm9u' },
  },
};

export type PasskeyOptions = Static<typeof PasskeyOptions>;
export type PasskeySignInBody = Static<typeof PasskeySignInBody>;
export type AddPasskeyBody = Static<typeof AddPasskeyBody>;
export type Passkey = Static<typeof Passkey>;
