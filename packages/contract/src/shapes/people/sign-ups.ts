import { Type, type Static } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { contactTypes, CreateContactsBody } from '../contacts/contacts.ts';

const { identity, email, mobile, attributes, audience_details } =
  CreateContactsBody.properties.data.properties.contacts.items.properties;

/** Body of a sign-up: a contact who must confirm the e-mail address. */
export const CreateSignUpBody = Type.Object(
  {
    email: Type.Unsafe<string>({ ...email.anyOf[0], description: 'E-mail address that gets the link.' }),
    identity,
    mobile,
    attributes,
    audience_details,
  },
  {
    $id: 'CreateSignUpBody',
    'x-body': bodyLimits.contact,
    additionalProperties: false,
    description:
      'A contact who signs up. `identity` is required unless the primary key of the account is `EMAIL` or `MOBILE`.',
  },
);

/** A sign-up that waits for its confirmation. */
export const SignUp = Type.Object(
  {
    sign_up_id: Type.String({ format: 'uuid' }),
    request_id: Type.String({
      format: 'uuid',
      description: 'The request that creates the contact.',
    }),
    expires_at: Type.String({ format: 'date-time', description: 'When the link expires.' }),
  },
  { $id: 'SignUp', description: 'A sign-up that waits for its confirmation.' },
);

/** A sign-up in the list of those that wait. */
export const WaitingSignUp = Type.Object(
  {
    sign_up_id: Type.String({ format: 'uuid' }),
    email: Type.Union([Type.String(), Type.Null()], {
      description: 'The address that got the link. Masked like EMAIL for callers without the permission `unmasked`.',
      examples: ['lena@example.com'],
    }),
    created_at: Type.String({ format: 'date-time', description: 'When the person signed up.' }),
    expires_at: Type.String({ format: 'date-time', description: 'When the link expires.' }),
  },
  { $id: 'WaitingSignUp', description: 'A sign-up whose link was not used yet.' },
);

/** Answer of blocking and unblocking a contact. */
export const ContactTypeAnswer = Type.Object(
  {
    contact_id: Type.Integer({ examples: [1] }),
    contact_type: Type.Enum([...contactTypes], { description: 'Type of the contact now.' }),
  },
  { $id: 'ContactTypeAnswer', description: 'The type of the contact after the change.' },
);

export type CreateSignUpBody = Static<typeof CreateSignUpBody>;
export type WaitingSignUp = Static<typeof WaitingSignUp>;
export type SignUp = Static<typeof SignUp>;
export type ContactTypeAnswer = Static<typeof ContactTypeAnswer>;
