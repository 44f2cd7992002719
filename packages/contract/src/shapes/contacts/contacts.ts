import { Type, type Static, type TSchema } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { closed } from '../common/closed.ts';

/** The types of a contact. */
export const contactTypes = ['anonymous', 'identified', 'unconfirmed', 'confirmed', 'blacklisted'] as const;

/** The channels that a contact can opt out of. */
export const optOutChannels = ['email', 'sms', 'whatsapp'] as const;

/** Most contacts of one request. */
export const contactsPerRequest = 1000;

/** Most attributes of one contact: as many as an account can have. */
const attributesPerContact = 500;

/** Most characters of all values of one contact together, before another of more than 1,000 is left out. */
export const longTextPerContact = 1_048_576;

const identity = Type.Unsafe<string>({
  type: ['string', 'number'],
  format: 'identity',
  description:
    "Value of the account's primary key: 1 to 255 characters after trimming; a number is taken as its decimal text. With the primary key EMAIL or MOBILE it fills `email` or `mobile`; a contact that gives both and they differ fails with `identity_mismatch`.",
  examples: ['asha@example.com'],
});
const emailAddress = Type.Unsafe<string>({
  type: 'string',
  format: 'email',
  maxLength: 254,
  examples: ['asha@example.com'],
});
const mobileNumber = Type.Unsafe<string>({
  type: ['string', 'integer'],
  format: 'mobile',
  minimum: 100_000,
  maximum: 999_999_999_999_999,
  examples: ['919812345678'],
});
const email = Type.Union([emailAddress, Type.Null()], {
  description: 'E-mail address; null clears it.',
  examples: ['asha@example.com'],
});
const mobile = Type.Union([mobileNumber, Type.Null()], {
  description:
    'Mobile number with the country code, 6 to 15 digits, as text or as a number; a leading +, spaces and dashes are removed; null clears it.',
  examples: ['919812345678'],
});

/** A finder of update and delete that may be left out: blank text leaves it out, too. */
const finder = (shape: TSchema) => Type.Optional(Type.Unsafe<string>({ ...shape, 'x-blank-is-absent': true }));

/** A value of an attribute as it arrives: coerced to the data type of the attribute when the request is applied. */
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
    message: 'must be moved out of attributes. Send it as the field email or mobile of the contact',
  },
  description:
    'Attribute name to value. Merged key by key into what the contact has; null clears a value. A value that does not fit the data type of its attribute is left out, and so is a name that the account does not have, and a value of more than 1,000 characters where all of the contact would have more than 1,048,576 together. EMAIL and MOBILE are refused here: they are fields of the contact.',
  examples: [{ FIRST_NAME: 'Asha', CITY: 'Pune', AGE: 31 }],
});

const audienceIds = Type.Array(
  Type.Integer({ minimum: 1, maximum: 2_147_483_647, 'x-hint': 'Send the audience_id of the list, not its name' }),
  {
    minItems: 1,
    maxItems: 1000,
    description: 'One or more identifiers of lists; a single one may stand without the array.',
  },
);

/** Lists of a contact, and what to do with them: one of `actions`, the first of which is the default. */
function listChanges<const Action extends 'add' | 'remove'>(
  actions: readonly [Action, ...Action[]],
  unknownKeys: Readonly<Record<string, unknown>>,
  options: Readonly<Record<string, unknown>>,
) {
  const change = Type.Object(
    {
      audience_id: audienceIds,
      audience_type: Type.Optional(Type.Enum(['list'])),
      action: Type.Optional(
        Type.Enum([...actions], {
          description: `Default: ${actions[0]}.`,
          ...(actions.length === 1 && { 'x-hint': 'Use contact update to remove contacts from lists' }),
        }),
      ),
    },
    unknownKeys,
  );
  return Type.Optional(Type.Array(change, { maxItems: 1000, ...options }));
}

// A create is open. Another word for the action, or more lists under another name, would still do something else than was meant.
const listWords = { 'x-refuse-unknown': 'action|operat|remov|delet|exclu|list|segment|filter|criteri|condition' };

const subscriptions = Type.Optional(
  Type.Object(
    {
      email: Type.Optional(Type.Boolean()),
      sms: Type.Optional(Type.Boolean()),
      whatsapp: Type.Optional(Type.Boolean()),
    },
    {
      // An opt-out of a channel that is not there must not be taken for done.
      additionalProperties: false,
      description:
        'By channel: false = opted out, true = opted in again. `email: false` makes the contact `blacklisted`; `email: true` gives a blacklisted contact the type that it had before.',
    },
  ),
);

const createFields = {
  email: Type.Optional(email),
  mobile: Type.Optional(mobile),
  attributes: Type.Optional(attributes),
  audience_details: listChanges(['add'], listWords, { description: 'Lists to add the contact to.' }),
  subscriptions,
};

// Ignoring it would store contacts of another type than was meant.
const typeOfItem = {
  'x-refuse-keys': {
    keys: ['contact_type'],
    message: 'must be moved out of the contact. It is given once for the whole request, as data.contact_type',
  },
};

const createContact = Type.Object(
  { identity: Type.Optional(identity), ...createFields },
  {
    ...typeOfItem,
    description: 'A contact to create, or to merge into the one that has the identity.',
  },
);
/** A contact of a create request of the type `identified`. */
export const IdentifiedContact = Type.Object(
  {
    identity: Type.Unsafe<string>({ ...identity, 'x-hint': 'Send the value of the primary key of the account' }),
    ...createFields,
  },
  typeOfItem,
);
const anonymousContact = Type.Object(createFields, typeOfItem);

const contactsOf = <Contact extends TSchema>(contact: Contact) =>
  Type.Array(contact, { minItems: 1, maxItems: contactsPerRequest });

/** Body of contact create. */
export const CreateContactsBody = Type.Object(
  {
    data: Type.Object(
      {
        contact_type: Type.Enum(['identified', 'anonymous'], {
          description:
            '`identified` contacts need an `identity`. Each `anonymous` entry is a new contact; an `identity` that it carries is ignored, whatever it is.',
        }),
        contacts: contactsOf(createContact),
      },
      {
        'x-variants': {
          by: 'contact_type',
          shapes: {
            identified: { contacts: contactsOf(IdentifiedContact) },
            anonymous: { contacts: contactsOf(anonymousContact) },
          },
        },
      },
    ),
  },
  {
    $id: 'CreateContactsBody',
    description: 'Contacts to create. A contact that exists is updated.',
    'x-body': bodyLimits.contacts,
  },
);

const contactId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Identifier given by the service.',
  examples: [1],
});

const finders = {
  'x-needs-one-of': {
    fields: ['contact_id', 'identity', 'email', 'mobile'],
    message: 'needs contact_id, identity, email or mobile, by which the contact is found',
  },
};

const updateContact = Type.Object(
  {
    contact_id: Type.Optional(contactId),
    ...createContact.properties,
    identity: finder(identity),
    audience_details: listChanges(['add', 'remove'], closed, {
      description: 'Lists to add the contact to or to remove it from, in order.',
    }),
  },
  {
    ...closed,
    ...typeOfItem,
    ...finders,
    description:
      'The first of contact_id, identity, email, mobile that is present finds the contact; the others are new values. An anonymous contact that gets an `identity` becomes identified.',
  },
);

/** Body of contact update. */
export const UpdateContactsBody = Type.Object(
  {
    data: Type.Object(
      {
        contact_type: Type.Optional(
          Type.Enum([...contactTypes], {
            description:
              'Type that every contact of the request must have after it. It moves no contact by itself: an identity or a subscription of the same item does. A contact that would have another type fails with `contact_type_refused`, and nothing of it changes.',
          }),
        ),
        contacts: contactsOf(updateContact),
      },
      closed,
    ),
  },
  {
    $id: 'UpdateContactsBody',
    description: 'Changes of contacts. What is left out stays as it is.',
    'x-body': bodyLimits.contacts,
    ...closed,
  },
);

const deleteContact = Type.Object(
  {
    contact_id: Type.Optional(contactId),
    identity: finder(identity),
    email: finder(emailAddress),
    mobile: finder(mobileNumber),
    audience_details: listChanges(['remove'], closed, {
      minItems: 1,
      // Without lists the contact is deleted: a caller who leaves them empty must not lose it.
      'x-refuse-null': true,
      description: 'When given, the contact only leaves these lists; otherwise it is deleted.',
    }),
  },
  {
    ...closed,
    ...finders,
    description: 'The first of contact_id, identity, email, mobile that is present finds the contact.',
  },
);

/** Body of contact delete. */
export const DeleteContactsBody = Type.Object(
  { data: Type.Object({ contacts: contactsOf(deleteContact) }, closed) },
  {
    $id: 'DeleteContactsBody',
    description: 'The contacts to delete, or to remove from lists.',
    'x-body': bodyLimits.contacts,
    ...closed,
    'x-refuse-repeats': true,
  },
);

export type IdentifiedContact = Static<typeof IdentifiedContact>;
export type CreateContactsBody = Static<typeof CreateContactsBody>;
export type UpdateContactsBody = Static<typeof UpdateContactsBody>;
export type DeleteContactsBody = Static<typeof DeleteContactsBody>;
/** Type of a contact. */
export type ContactType = (typeof contactTypes)[number];
/** Channel that a contact can opt out of. */
export type OptOutChannel = (typeof optOutChannels)[number];
