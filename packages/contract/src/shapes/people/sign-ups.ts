import { Type, type Static } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { contactTypes, CreateContactsBody } from '../contacts/contacts.ts';

const { identity, email, mobile, attributes, audience_details } =
  CreateContactsBody.properties.data.properties.contacts.items.properties;

/** Body of a sign-up: a contact that is to confirm itself. */
export const CreateSignUpBody = Type.Object(
  {
    email: Type.Unsafe<string>({ ...email.anyOf[0], description: 'Address that the link is sent to.' }),
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
      'The identity is filled by the e-mail address or the mobile number where that is the primary key; otherwise it is required.',
  },
);

/** A sign-up that waits to be confirmed. */
export const SignUp = Type.Object(
  {
    sign_up_id: Type.String({ format: 'uuid' }),
    request_id: Type.String({
      format: 'uuid',
      description: 'The request that creates the contact, in the request log.',
    }),
    expires_at: Type.String({ format: 'date-time', description: 'Until when the link confirms.' }),
  },
  { $id: 'SignUp', description: 'A sign-up that waits for its confirmation.' },
);

/** What a contact is after an operator has blocked or unblocked it. */
export const ContactTypeAnswer = Type.Object(
  {
    contact_id: Type.Integer({ examples: [1] }),
    contact_type: Type.Enum([...contactTypes], { description: 'Type of the contact now.' }),
  },
  { $id: 'ContactTypeAnswer', description: 'The type of the contact after the change.' },
);

export type CreateSignUpBody = Static<typeof CreateSignUpBody>;
export type SignUp = Static<typeof SignUp>;
export type ContactTypeAnswer = Static<typeof ContactTypeAnswer>;
