import { Type, type Static } from 'typebox';

/** The types of a contact (interface §2.1). */
export const contactTypes = ['anonymous', 'identified', 'unconfirmed', 'confirmed', 'blacklisted'] as const;

/** The channels that a contact can opt out of (decisions §3). */
export const optOutChannels = ['email', 'sms', 'whatsapp'] as const;

/** Most contacts of one request (interface §8). */
export const contactsPerRequest = 1000;

/** Most attributes of one contact: as many as an account can have (decisions §4). */
const attributesPerContact = 500;

const identity = Type.Unsafe<string>({
  type: ['string', 'integer'],
  format: 'identity',
  description:
    "Value of the account's primary key: 1 to 255 characters after trimming; an integer is taken as its decimal text.",
  examples: ['asha@example.com'],
});
const email = Type.Union([Type.Unsafe<string>({ type: 'string', format: 'email', maxLength: 254 }), Type.Null()], {
  description: 'E-mail address; null clears it.',
  examples: ['asha@example.com'],
});
const mobile = Type.Union([Type.Unsafe<string>({ type: 'string', format: 'mobile' }), Type.Null()], {
  description:
    'Mobile number with the country code, 6 to 15 digits; a leading +, spaces and dashes are removed; null clears it.',
  examples: ['919812345678'],
});

/** A value of an attribute as it arrives: coerced to the data type of the attribute when the request is applied (decisions §3). */
export const AttributeValue = Type.Unsafe<string | number | boolean | null>({
  type: ['string', 'number', 'boolean', 'null'],
  format: 'attribute-value',
});

const attributes = Type.Unsafe<Record<string, string | number | boolean | null>>({
  type: 'object',
  patternProperties: { '^.*$': AttributeValue },
  maxProperties: attributesPerContact,
  'x-key-case': 'upper',
  'x-refuse-keys': {
    keys: ['EMAIL', 'MOBILE'],
    message: 'must be given as email or mobile of the contact, not inside attributes',
  },
  description:
    'Attribute name to value. Merged key by key into what the contact has; null clears a value. EMAIL and MOBILE are refused here: they are fields of the contact.',
  examples: [{ FIRST_NAME: 'Asha', CITY: 'Pune', AGE: 31 }],
});

const audienceIds = Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
  minItems: 1,
  maxItems: 1000,
  description: 'One or more identifiers of lists; a single one may stand without the array.',
});

const listAssignment = Type.Object({
  audience_id: audienceIds,
  audience_type: Type.Optional(Type.Enum(['list'])),
});

const createContact = Type.Object(
  {
    identity: Type.Optional(identity),
    email: Type.Optional(email),
    mobile: Type.Optional(mobile),
    attributes: Type.Optional(attributes),
    audience_details: Type.Optional(
      Type.Array(listAssignment, { maxItems: 1000, description: 'Lists to add the contact to.' }),
    ),
  },
  { description: 'A contact to create, or to merge into the one that has the identity.' },
);

/** Body of contact create (interface §4.1, decisions §3). */
export const CreateContactsBody = Type.Object(
  {
    data: Type.Object({
      contact_type: Type.Enum(['identified', 'anonymous'], {
        description: '`identified` contacts need an `identity`; each `anonymous` entry is a new contact.',
      }),
      contacts: Type.Array(createContact, { minItems: 1, maxItems: contactsPerRequest }),
    }),
  },
  { $id: 'CreateContactsBody' },
);

const contactId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Identifier given by the service.',
  examples: [1],
});

const updateContact = Type.Object(
  {
    contact_id: Type.Optional(contactId),
    ...createContact.properties,
    audience_details: Type.Optional(
      Type.Array(
        Type.Object({
          ...listAssignment.properties,
          action: Type.Optional(Type.Enum(['add', 'remove'], { description: 'Default: add.' })),
        }),
        { maxItems: 1000, description: 'Lists to add the contact to or to remove it from, in order.' },
      ),
    ),
    subscriptions: Type.Optional(
      Type.Object(
        {
          email: Type.Optional(Type.Boolean()),
          sms: Type.Optional(Type.Boolean()),
          whatsapp: Type.Optional(Type.Boolean()),
        },
        { description: 'false = opted out of the channel, true = opted in again.' },
      ),
    ),
  },
  {
    description:
      'The first of contact_id, identity, email, mobile that is present finds the contact; the others are new values.',
  },
);

/** Body of contact update (decisions §3). */
export const UpdateContactsBody = Type.Object(
  {
    data: Type.Object({
      contact_type: Type.Optional(
        Type.Enum([...contactTypes], { description: 'Type that every contact of the request shall have.' }),
      ),
      contacts: Type.Array(updateContact, { minItems: 1, maxItems: contactsPerRequest }),
    }),
  },
  { $id: 'UpdateContactsBody' },
);

const deleteContact = Type.Object(
  {
    contact_id: Type.Optional(contactId),
    identity: Type.Optional(identity),
    email: Type.Optional(email.anyOf[0]),
    mobile: Type.Optional(mobile.anyOf[0]),
    audience_details: Type.Optional(
      Type.Array(listAssignment, {
        minItems: 1,
        maxItems: 1000,
        'x-refuse-null': true,
        description: 'When given, the contact only leaves these lists; otherwise it is deleted.',
      }),
    ),
  },
  { description: 'The first of contact_id, identity, email, mobile that is present finds the contact.' },
);

/** Body of contact delete (decisions §3). */
export const DeleteContactsBody = Type.Object(
  {
    data: Type.Object(
      { contacts: Type.Array(deleteContact, { minItems: 1, maxItems: contactsPerRequest }) },
      // Ignoring a list or a filter here would delete contacts that should only have left a list.
      { 'x-refuse-unknown': 'audience|list|filter|criteria|condition' },
    ),
  },
  { $id: 'DeleteContactsBody', 'x-refuse-unknown': 'audience|list|filter|criteria|condition' },
);

export type CreateContactsBody = Static<typeof CreateContactsBody>;
export type UpdateContactsBody = Static<typeof UpdateContactsBody>;
export type DeleteContactsBody = Static<typeof DeleteContactsBody>;
/** Type of a contact. */
export type ContactType = (typeof contactTypes)[number];
/** Channel that a contact can opt out of. */
export type OptOutChannel = (typeof optOutChannels)[number];
