import { Type, type Static } from 'typebox';

/** Default and maximum number of values in an answer. */
export const attributeValueLimits = { default: 20, max: 100 } as const;

/** Accounts with up to this many contacts are counted exactly. */
export const exactlyCountedContacts = 100_000;

/** Number of contacts in the sample of a larger account. */
export const sampledContacts = 20_000;

/** Query of the most frequent values of an attribute. */
export const AttributeValuesQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: attributeValueLimits.max,
        default: attributeValueLimits.default,
        description: `Values in the answer. Default: ${attributeValueLimits.default}.`,
      }),
    ),
    contains: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        'x-blank-is-absent': true,
        description: 'Only values that contain this text, in any letter case.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The most frequent values of an attribute. */
export const AttributeValues = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        value: Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'], examples: ['Pune'] }),
        count: Type.Integer({ description: 'Number of contacts with the value.', examples: [31_210] }),
      }),
      { description: 'The most frequent first.' },
    ),
    contacts_with_value: Type.Integer({
      description: 'Number of contacts that have any value, or a value that matches `contains`.',
      examples: [830_000],
    }),
    distinct_values: Type.Integer({
      description: 'Number of different values. In a sample, those that it contains.',
      examples: [412],
    }),
    match: Type.Enum(['contains', 'starts_with'], {
      description:
        'How `contains` was compared. `starts_with`: the account is large, so the index of the attribute was used, which finds only the beginning of a text.',
    }),
    estimated: Type.Boolean({
      description: 'True when the numbers are estimated from a sample. A rare value can then be missing.',
    }),
    sample_size: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Number of contacts in the sample. Null when all were counted.',
      examples: [null],
    }),
  },
  { $id: 'AttributeValues', description: 'The most frequent values of an attribute.' },
);

export type AttributeValuesQuery = Static<typeof AttributeValuesQuery>;
export type AttributeValues = Static<typeof AttributeValues>;
