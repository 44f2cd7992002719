import { Type, type Static } from 'typebox';
import { contactTypes } from './contacts.ts';

/** Maximum number of contacts that quick find returns. */
export const foundContacts = 20;

/** The fields that quick find looks at. */
const foundBy = ['contact_id', 'identity', 'email', 'mobile'] as const;

/** Query of quick find. */
export const FindContactsQuery = Type.Object(
  {
    find: Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'The beginning of an e-mail address, mobile number or identity, or a whole `contact_id`. Mobile numbers can have `+`, `00`, spaces, dashes, dots, slashes and parentheses.',
      examples: ['asha@exa'],
    }),
  },
  { additionalProperties: false },
);

const text = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] });

/** A contact that quick find has found. */
export const FoundContact = Type.Object(
  {
    contact_id: Type.Integer({ description: 'Number of the contact.', examples: [17] }),
    identity: text('Value of the primary key. Null for anonymous contacts.', 'asha@example.com'),
    email: text('E-mail address.', 'asha@example.com'),
    mobile: text('Mobile number.', '919812345678'),
    contact_type: Type.Enum([...contactTypes]),
    created_at: Type.String({ format: 'date-time' }),
    found_by: Type.Enum([...foundBy], { description: 'The field that matches.' }),
    exact: Type.Boolean({ description: 'True when the whole value matches, not only its beginning.' }),
  },
  { $id: 'FoundContact', description: 'A contact, and the field by which it was found.' },
);

/** Answer of quick find. */
export const FindContactsAnswer = Type.Object(
  {
    data: Type.Array(Type.Ref('FoundContact')),
    more: Type.Boolean({ description: `True when there are more than ${foundContacts} matches.` }),
  },
  { $id: 'FindContactsAnswer', description: 'The contacts that quick find has found.' },
);

export type FoundContact = Static<typeof FoundContact>;
/** Answer of quick find. */
export interface FindContactsAnswer {
  readonly data: readonly FoundContact[];
  readonly more: boolean;
}
