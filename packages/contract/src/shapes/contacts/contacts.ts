import { Type, type Static, type TSchema } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { closed } from '../common/closed.ts';

/** The types of a contact. */
export const contactTypes = ['anonymous', 'identified', 'unconfirmed', 'confirmed', 'blacklisted'] as const;

/** The channels that a contact can opt out of. */
export const optOutChannels = ['email', 'sms', 'whatsapp'] as const;

/** Maximum number of contacts in one request. */
export const contactsPerRequest = 1000;

/** Maximum number of attributes in one contact: as many as an account can have. */
const attributesPerContact = 500;

/**
 * Maximum number of characters of all values of one contact. A value of more than 1,000 characters
 * that would exceed it is left out.
 */
export const longTextPerContact = 1_048_576;

const identity = Type.Unsafe<string>({
  type: ['string', 'number'],
  format: 'identity',
  description:
    "Value of the account's primary key: 1 to 255 characters after trimming. A number is converted to its decimal text. With the primary key EMAIL or MOBILE, it also fills `email` or `mobile`. If both are sent and differ, the contact fails with `identity_mismatch`.",
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
  description: 'E-mail address. Null clears it.',
  examples: ['asha@example.com'],
});
const mobile = Type.Union([mobileNumber, Type.Null()], {
  description:
    'Mobile number with the country code: 6 to 15 digits, as text or as a number. A leading +, spaces and dashes are removed. Null clears it.',
  examples: ['919812345678'],
});

/** An identifier by which update and delete find a contact. Blank text counts as absent. */
const identifier = (shape: TSchema) => Type.Optional(Type.Unsafe<string>({ ...shape, 'x-blank-is-absent': true }));

/**
 * A value of an attribute in a request. It is converted to the data type of the attribute when the
 * request is applied.
 */
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
    message: 'must not be inside attributes. Send it as the field email or mobile of the contact',
  },
  description:
    'Attribute names and their values. They merge name by name into the contact. Null clears a value. A value that does not fit the data type is left out. So is a value of an unknown attribute. A value of more than 1,000 characters is left out if the contact would exceed 1,048,576 characters in total. EMAIL and MOBILE are refused here, because they are fields of the contact.',
  examples: [{ FIRST_NAME: 'Asha', CITY: 'Pune', AGE: 31 }],
});

const audienceIds = Type.Array(
  Type.Integer({ minimum: 1, maximum: 2_147_483_647, 'x-hint': 'Send the audience_id of the list, not its name' }),
  {
    minItems: 1,
    maxItems: 1000,
    description: 'One or more numbers of lists. A single number can be sent without the array.',
  },
);

/** Makes the shape of `audience_details`. The first of `actions` is the default action. */
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

// A create ignores unknown keys. But ignoring another word for `action`, or lists under another
// name, would change what the request does.
const refuseListWords = { 'x-refuse-unknown': 'action|operat|remov|delet|exclu|list|segment|filter|criteri|condition' };

const subscriptions = Type.Optional(
  Type.Object(
    {
      email: Type.Optional(Type.Boolean()),
      sms: Type.Optional(Type.Boolean()),
      whatsapp: Type.Optional(Type.Boolean()),
    },
    {
      // The caller must not believe that an opt-out of an unknown channel was stored.
      additionalProperties: false,
      description:
        'For each channel: false opts the contact out, true opts it in again. `email: false` makes the contact `blacklisted`. `email: true` restores the type that a blacklisted contact had before.',
    },
  ),
);

const createFields = {
  email: Type.Optional(email),
  mobile: Type.Optional(mobile),
  attributes: Type.Optional(attributes),
  audience_details: listChanges(['add'], refuseListWords, { description: 'Lists to add the contact to.' }),
  subscriptions,
};

// Ignoring `contact_type` inside a contact would store a contact of the wrong type.
const refuseContactType = {
  'x-refuse-keys': {
    keys: ['contact_type'],
    message: 'must not be inside a contact. Send it once for the whole request, as data.contact_type',
  },
};

const createContact = Type.Object(
  { identity: Type.Optional(identity), ...createFields },
  {
    ...refuseContactType,
    description: 'A contact to create, or to merge into the contact with the same identity.',
  },
);
/** A contact in a create request with the `contact_type` `identified`. */
export const IdentifiedContact = Type.Object(
  {
    identity: Type.Unsafe<string>({ ...identity, 'x-hint': 'Send the value of the primary key of the account' }),
    ...createFields,
  },
  refuseContactType,
);
const anonymousContact = Type.Object(createFields, refuseContactType);

const contactsOf = <Contact extends TSchema>(contact: Contact) =>
  Type.Array(contact, { minItems: 1, maxItems: contactsPerRequest });

/** Body of contact create. */
export const CreateContactsBody = Type.Object(
  {
    data: Type.Object(
      {
        contact_type: Type.Enum(['identified', 'anonymous'], {
          description:
            '`identified`: each contact needs an `identity`. `anonymous`: each item is a new contact, and its `identity` is ignored.',
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
    description: 'Contacts to create. An existing contact is updated.',
    'x-body': bodyLimits.contacts,
  },
);

const contactId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Number that the service gave to the contact.',
  examples: [1],
});

const needsIdentifier = {
  'x-needs-one-of': {
    fields: ['contact_id', 'identity', 'email', 'mobile'],
    message: 'needs contact_id, identity, email or mobile to find the contact',
  },
};

const updateContact = Type.Object(
  {
    contact_id: Type.Optional(contactId),
    ...createContact.properties,
    identity: identifier(identity),
    audience_details: listChanges(['add', 'remove'], closed, {
      description: 'Lists to add the contact to, or to remove it from. They are applied in order.',
    }),
  },
  {
    ...closed,
    ...refuseContactType,
    ...needsIdentifier,
    description:
      'The first of contact_id, identity, email, mobile that is present finds the contact. The others are new values. An anonymous contact that gets an `identity` becomes identified.',
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
              'Type that every contact must have after the update. This is a check, not a change: only a new identity or a subscription in the item changes the type. A contact that would have another type fails with `contact_type_refused` and does not change.',
          }),
        ),
        contacts: contactsOf(updateContact),
      },
      closed,
    ),
  },
  {
    $id: 'UpdateContactsBody',
    description: 'Changes of contacts. Fields that are absent do not change.',
    'x-body': bodyLimits.contacts,
    ...closed,
  },
);

const { contact_id: _, ...changeableFields } = updateContact.properties;

/** Body of changing one contact. */
export const UpdateContactBody = Type.Object(
  { ...changeableFields, identity: Type.Optional(identity) },
  {
    $id: 'UpdateContactBody',
    description: 'A change of one contact. Fields that are absent do not change.',
    ...closed,
    ...refuseContactType,
  },
);

const deleteContact = Type.Object(
  {
    contact_id: Type.Optional(contactId),
    identity: identifier(identity),
    email: identifier(emailAddress),
    mobile: identifier(mobileNumber),
    audience_details: listChanges(['remove'], closed, {
      minItems: 1,
      // Without lists, the contact is deleted. Null or an empty array must not have this effect.
      'x-refuse-null': true,
      description: 'If present, the contact only leaves these lists. If absent, the contact is deleted.',
    }),
  },
  {
    ...closed,
    ...needsIdentifier,
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
export type UpdateContactBody = Static<typeof UpdateContactBody>;
export type DeleteContactsBody = Static<typeof DeleteContactsBody>;
/** Type of a contact. */
export type ContactType = (typeof contactTypes)[number];
/** Channel that a contact can opt out of. */
export type OptOutChannel = (typeof optOutChannels)[number];
