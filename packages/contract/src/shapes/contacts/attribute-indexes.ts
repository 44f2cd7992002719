import { Type, type Static } from 'typebox';
import { AttributeRecord } from './attributes.ts';

/** Most attributes of an account that have an index at a time: every index costs each write of a contact. */
export const indexedAttributesPerAccount = 20;

/**
 * Most attributes of all accounts that have an index at a time.
 *
 * All contacts are in one table, so the server looks at every index of every account for each statement: 200 of them, four for each text,
 * add half a millisecond to a search, and a tenth to the time that writing takes.
 */
export const indexedAttributesInAll = 50;

/** How far the index of an attribute is. */
export const indexStatuses = ['none', 'building', 'ready', 'failed'] as const;

/** An attribute as the operator API shows it: the record of the V5 interface, and its index. */
export const OperatorAttribute = Type.Object(
  {
    ...AttributeRecord.properties,
    indexed: Type.Boolean({ description: 'True when an index on the values was asked for.' }),
    index_status: Type.Enum([...indexStatuses], {
      description:
        '`none`: not asked for. `building`: searches do without it until it is ready. `ready`. `failed`: it could not be built; the log of the worker says why, and it is tried again every minute, or at once when it is asked for again.',
      examples: ['ready'],
    }),
  },
  { $id: 'OperatorAttribute', description: 'An attribute with the state of its index.' },
);

/** Body of the attribute update of the operator API. */
export const UpdateOperatorAttributeBody = Type.Object(
  { indexed: Type.Boolean({ description: 'Whether the values shall have an index.' }) },
  {
    $id: 'UpdateOperatorAttributeBody',
    description: 'Whether the attribute has an index of its own.',
    additionalProperties: false,
  },
);

export type OperatorAttribute = Static<typeof OperatorAttribute>;
export type UpdateOperatorAttributeBody = Static<typeof UpdateOperatorAttributeBody>;

/** How far the index of an attribute is. */
export type IndexStatus = (typeof indexStatuses)[number];
