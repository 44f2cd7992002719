import { Type, type Static } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { contactsPerRequest, optOutChannels } from '../contacts/contacts.ts';

/** Headers of the older blacklist call, for the OpenAPI document only. */
export const BlacklistHeaders = Type.Object({
  primarykey: Type.String({
    description: 'Name of the primary key of the account, in any letter case.',
    examples: ['email'],
  }),
  channel: Type.Optional(
    Type.Enum([...optOutChannels], {
      default: 'email',
      description: 'The channel that the contacts are opted out of, in any letter case. Default: email.',
      examples: ['email'],
    }),
  ),
});

/** Body of the older blacklist call. */
export const BlacklistContactsBody = Type.Object(
  {
    data: Type.Array(
      // Any value: one that cannot be a primary key must not keep the others from being opted out.
      Type.Unsafe<unknown>({
        description: 'Value of the primary key: a text, or a number that is converted to its decimal text.',
        examples: ['asha@example.com'],
      }),
      {
        minItems: 1,
        maxItems: contactsPerRequest,
        description: 'Values of the primary key of the account. A repeated value changes nothing more.',
        examples: [['asha@example.com', 'ravi@example.com']],
      },
    ),
  },
  {
    $id: 'BlacklistContactsBody',
    description: 'The contacts to opt out of a channel.',
    'x-body': bodyLimits.contacts,
    // Ignoring it would opt the contacts out of e-mail instead.
    'x-refuse-keys': { keys: ['channel'], message: 'must be a header of the request, not a field of its body' },
  },
);

/** Answer of the older blacklist call. */
export const BlacklistContactsAnswer = Type.Object(
  {
    message: Type.String({
      format: 'uuid',
      description: 'Identifier of the request.',
      examples: ['019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11'],
    }),
    status: Type.Literal(200),
  },
  {
    $id: 'BlacklistContactsAnswer',
    description: 'The request is stored. The requests of an account are applied in the order of acceptance.',
  },
);

export type BlacklistContactsBody = Static<typeof BlacklistContactsBody>;
