import { Type, type Static } from 'typebox';
import { AttributeRecord } from './attributes.ts';

/**
 * Maximum number of indexed attributes in an account. The value of each is stored and indexed once
 * more with every write of a contact.
 */
export const indexedAttributesPerAccount = 20;

/** States of the index of an attribute. */
const indexStatuses = ['none', 'building', 'ready', 'failed'] as const;

/** An attribute as the operator API shows it: the record of V5 and the state of its index. */
export const OperatorAttribute = Type.Object(
  {
    ...AttributeRecord.properties,
    filled: Type.Integer({
      minimum: 0,
      description: 'Contacts that have a value. For a custom primary key: contacts that have an identity.',
      examples: [950],
    }),
    indexed: Type.Boolean({ description: 'True when an operator asked for an index.' }),
    index_status: Type.Enum([...indexStatuses], {
      description:
        '`none`: no index. `building`: the index is being built, and searches do not use it yet. `ready`: searches use it. `failed`: the index could not be built. The log of the worker says why. Roster retries every minute, or at once if you ask for the index again.',
      examples: ['ready'],
    }),
  },
  {
    $id: 'OperatorAttribute',
    description: 'An attribute with the state of its index, and how many contacts have a value.',
  },
);

/** Body of indexing an attribute. */
export const UpdateOperatorAttributeBody = Type.Object(
  { indexed: Type.Boolean({ description: 'True: add an index. False: remove it.' }) },
  {
    $id: 'UpdateOperatorAttributeBody',
    description: 'Adds or removes the index of an attribute.',
    additionalProperties: false,
  },
);

export type OperatorAttribute = Static<typeof OperatorAttribute>;
export type UpdateOperatorAttributeBody = Static<typeof UpdateOperatorAttributeBody>;

/** State of the index of an attribute. */
export type IndexStatus = (typeof indexStatuses)[number];
