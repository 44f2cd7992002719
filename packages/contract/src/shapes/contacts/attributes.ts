import { Type, type Static } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { attributeNamePattern, systemAttributeNames } from '../../text/attribute-names.ts';
import { AttributeValue } from './contacts.ts';
import { closed } from '../common/closed.ts';
import { successFields } from '../common/envelope.ts';
import { searchEnvelope } from '../common/search-envelope.ts';
import { moment } from '../common/fields.ts';

/** Data types of attributes. */
export const dataTypes = ['text', 'long_text', 'number', 'boolean', 'date', 'datetime'] as const;

/** Kinds of entities that have attributes. */
export const entityTypes = ['contact'] as const;

/** Categories of attributes. */
export const attributeCategories = [
  'profile',
  'demographic',
  'location',
  'behaviour',
  'transaction',
  'preference',
  'custom',
] as const;

/** How the values of an attribute are hidden from API keys without the scope `unmasked`. */
export const dataMaskings = ['none', 'partial', 'full'] as const;

/** Features that can use an attribute. */
const usageFeatures = [
  'segment',
  'primary_key',
  'mapping',
  'export',
  'export_schedule',
  'event_subscription',
  'import',
  'bulk_change',
  'saved_view',
] as const;

/** Maximum number of attributes in an account. */
export const attributesPerAccount = 500;

/**
 * Maximum number of characters of all default values of an account: as many as two of the longest
 * values. Every new contact gets all default values, and every search reads the registry, which
 * contains them.
 */
export const defaultsPerAccount = 131_072;

/** Maximum number of attributes in one request. */
export const attributesPerRequest = 100;

const name = (description: string, examples: readonly string[] = ['CUSTOMER_TIER']) =>
  Type.Unsafe<string>({
    type: 'string',
    format: 'attribute-name',
    pattern: attributeNamePattern.source,
    description,
    examples: [...examples],
  });

const dataType = Type.Enum([...dataTypes], {
  description:
    '`text`: up to 1,000 characters. `long_text`: up to 65,536 characters; it cannot be exported, and a search can only test whether it has a value. `number`: a finite double. `boolean`: true or false. `date`: `YYYY-MM-DD`. `datetime`: RFC 3339, stored in UTC.',
});
const category = Type.Enum([...attributeCategories], { description: 'Default: custom.' });
const defaultValue = Type.Unsafe<string | number | boolean | null>({
  ...AttributeValue,
  description:
    'Value for new contacts that have no value for the attribute. It must fit the data type. Null: no default. All default values of an account together can have up to 131,072 characters.',
});
const mapping = Type.Union([Type.Unsafe<string>({ type: 'string', format: 'system-attribute' }), Type.Null()], {
  description: `Name of a system attribute (${systemAttributeNames.join(', ')}) of the same data type. Reading or writing that name then reads or writes this attribute. Only one attribute can be mapped to a system attribute. Null: no mapping.`,
  'x-blank-is-absent': true,
});
const dataMasking = (note: string) =>
  Type.Enum([...dataMaskings], {
    description: `How values are hidden from API keys without the scope \`unmasked\`. \`none\`: not hidden. \`partial\`: every character except the last four is \`*\`. A letter with its accents is one character. Values of up to eight characters are hidden completely. \`full\`: hidden completely. If two attributes are mapped, the mask that hides more applies. ${note}`,
  });

/**
 * Unknown keys that are refused. A misspelled `data_masking` would show values that should be
 * hidden.
 */
const refuseMasks = 'mask';

const attributeDefinition = Type.Object(
  {
    name: name('Begins with a letter and has up to 64 letters, digits and underscores. It is converted to upper case.'),
    entity_type: Type.Optional(Type.Enum([...entityTypes], { description: 'Default: contact.' })),
    category: Type.Optional(category),
    data_type: dataType,
    default_value: Type.Optional(defaultValue),
    mapping: Type.Optional(mapping),
    data_masking: Type.Optional(dataMasking('Default: none.')),
  },
  { description: 'An attribute to create.', 'x-refuse-unknown': refuseMasks },
);

/** Body of attribute create. */
export const CreateAttributesBody = Type.Object(
  { data: Type.Array(attributeDefinition, { minItems: 1, maxItems: attributesPerRequest }) },
  { $id: 'CreateAttributesBody', description: 'New attributes.', 'x-body': bodyLimits.attributes },
);

const attributeId = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Number of the attribute.',
  examples: [11],
});

const attributeChange = Type.Object(
  {
    id: Type.Optional(attributeId),
    name: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        format: 'attribute-mention',
        'x-blank-is-absent': true,
        description: 'Current name of the attribute.',
      }),
    ),
    new_name: Type.Optional(
      Type.Unsafe<string>({
        ...name(
          'New name. Values, segments and mappings stay. Renaming a masked attribute needs the scope `unmasked`.',
          ['LOYALTY_TIER'],
        ),
        'x-blank-is-absent': true,
      }),
    ),
    data_type: Type.Optional(dataType),
    default_value: Type.Optional(defaultValue),
    mapping: Type.Optional(mapping),
    data_masking: Type.Optional(
      dataMasking(
        'A mask that hides less than before needs the scope `unmasked`. A change of `mapping` with this effect needs it, too.',
      ),
    ),
    category: Type.Optional(category),
  },
  {
    ...closed,
    description: 'Changes of one attribute. `name` or `id` identifies it. Fields that are absent do not change.',
    examples: [{ name: 'CUSTOMER_TIER', new_name: 'LOYALTY_TIER' }],
  },
);

/** Body of attribute update. */
export const UpdateAttributesBody = Type.Object(
  { data: Type.Array(attributeChange, { minItems: 1, maxItems: attributesPerRequest }) },
  {
    $id: 'UpdateAttributesBody',
    description: 'Changes of attributes. Either all are applied, or none.',
    'x-body': bodyLimits.attributes,
    ...closed,
  },
);

/** How a request names an attribute: by its name in upper case, or by its number. */
export type AttributeReference = { readonly name: string } | { readonly id: number };

const attributeReference = Type.Unsafe<AttributeReference>({
  anyOf: [
    { type: 'string' },
    { type: 'integer' },
    { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  ],
  format: 'attribute-reference',
  description: 'An attribute: its name, its number, or an object with one of the two.',
  examples: ['CUSTOMER_TIER'],
});

const references = Type.Array(attributeReference, { minItems: 1, maxItems: attributesPerRequest });

/** Body of attribute delete. */
export const DeleteAttributesBody = Type.Object(
  { data: references },
  { $id: 'DeleteAttributesBody', description: 'The attributes to delete.', ...closed, 'x-refuse-repeats': true },
);

/** Body of attribute usage. */
export const AttributeUsageBody = Type.Object(
  { data: references },
  { $id: 'AttributeUsageBody', description: 'The attributes to report on.', ...closed },
);

const searched = searchEnvelope(
  {
    field: { description: '`name`, `entity_type`, `data_type` or `category`, in any letter case.', example: 'name' },
    operation: '`equals`, and for `name` also `contains` and `starts_with`.',
    value: {
      description:
        'Values to compare with, in any letter case. `equals` takes one or more values and matches any of them. Other operations take one value. A single value can be sent without the array.',
      example: 'CITY',
    },
    unfiltered: 'all attributes of the account',
    sortField: {
      description: '`id`, `name`, `entity_type`, `data_type`, `category`, `created_at` or `updated_at`.',
      example: 'name',
    },
    sorting: 'Default: name asc. Equal values are ordered by `id`.',
    pageSize: '',
    cursor: undefined,
    outputField: { description: 'Ignored. A record is always complete.', examples: ['name'] },
  },
  {
    field_category: Type.Optional(
      Type.Enum(['config', 'audience', 'attribute'], {
        description: 'Not needed. `audience` is refused, because attributes are not in audiences.',
      }),
    ),
  },
);

/** Body of attribute search: the envelope of contact search, with the fields of attributes. */
export const SearchAttributesBody = Type.Object(searched, {
  $id: 'SearchAttributesBody',
  description: 'A search of attributes. An empty object finds all of them.',
  'x-body': bodyLimits.filter,
  ...closed,
  'x-refuse-repeats': true,
});

const recordProperties = {
  id: attributeId,
  name: Type.String({ examples: ['CUSTOMER_TIER'] }),
  entity_type: Type.Enum([...entityTypes]),
  category: Type.Enum([...attributeCategories]),
  data_type: Type.Enum([...dataTypes]),
  default_value: Type.Unsafe<string | number | boolean | null>({
    type: ['string', 'number', 'boolean', 'null'],
    description: 'Masked like other values, for callers without the permission `unmasked`.',
    examples: ['bronze'],
  }),
  mapping: Type.Union([Type.String(), Type.Null()]),
  data_masking: Type.Enum([...dataMaskings]),
  system: Type.Boolean({
    description: 'True for the attributes that every account has. They cannot be deleted or renamed.',
  }),
  created_at: moment('When it was created.'),
  updated_at: moment('When its definition was changed last.'),
};

/** An attribute as V5 shows it. */
export const AttributeRecord = Type.Object(recordProperties, {
  $id: 'AttributeRecord',
  description: 'An attribute of contacts.',
});

/** Answer of attribute search. */
export const SearchAttributesAnswer = Type.Object(
  {
    ...successFields('Attributes found'),
    data: Type.Array(Type.Ref('AttributeRecord')),
    count: Type.Optional(Type.Integer({ description: 'Number of all matches, if you asked for it.', examples: [1] })),
  },
  { $id: 'SearchAttributesAnswer', description: 'The attributes found.' },
);

/** Answer of attribute update: the attributes as they are now, in the order of the request. */
export const UpdateAttributesAnswer = Type.Object(
  { ...successFields('The attributes were updated'), data: Type.Array(Type.Ref('AttributeRecord')) },
  { $id: 'UpdateAttributesAnswer', description: 'The attributes after the change.' },
);

/** One use of an attribute. */
export const AttributeUse = Type.Object(
  {
    feature: Type.Enum([...usageFeatures], {
      description:
        'What uses the attribute. `segment`: `id` is the audience_id. `primary_key`: `id` is the account. `mapping`: `id` is the attribute at the other end. `export`: `id` is the request_id of an unfinished export. `export_schedule`: `id` is the schedule_id. `event_subscription`: `id` is the subscription_id. `import`: `id` is the import_id of an unfinished import that is not a dry run. `bulk_change`: `id` is the bulk_change_id of an unfinished bulk change. `saved_view`: `id` is the view_id of a shared view; only for derived attributes.',
    }),
    id: Type.Unsafe<number | string>({ type: ['integer', 'string'], examples: [2] }),
    name: Type.String({ examples: ['Gold members'] }),
  },
  { $id: 'AttributeUse', description: 'One use of an attribute.' },
);

/** Where one attribute is used. */
export const AttributeUsage = Type.Object(
  {
    name: Type.String({ examples: ['CUSTOMER_TIER'] }),
    in_use: Type.Boolean({ description: 'True when `usage` has entries. The attribute cannot be deleted then.' }),
    contacts_with_value: Type.Integer({ description: 'Number of contacts that have a value.', examples: [830] }),
    usage: Type.Array(Type.Ref('AttributeUse')),
  },
  { $id: 'AttributeUsage', description: 'Where an attribute is used.' },
);

/** Answer of attribute usage: one entry for each attribute, in the order of the request. */
export const AttributeUsageAnswer = Type.Object(
  { ...successFields('Usage found'), data: Type.Array(Type.Ref('AttributeUsage')) },
  { $id: 'AttributeUsageAnswer', description: 'Where each attribute is used.' },
);

export type CreateAttributesBody = Static<typeof CreateAttributesBody>;
export type UpdateAttributesBody = Static<typeof UpdateAttributesBody>;
export type DeleteAttributesBody = Static<typeof DeleteAttributesBody>;
export type AttributeUsageBody = Static<typeof AttributeUsageBody>;
export type SearchAttributesBody = Static<typeof SearchAttributesBody>;
export type AttributeRecord = Static<typeof AttributeRecord>;
export type AttributeUse = Static<typeof AttributeUse>;
/** Where one attribute is used, in an answer. */
export interface AttributeUsage {
  readonly name: string;
  readonly in_use: boolean;
  readonly contacts_with_value: number;
  readonly usage: readonly AttributeUse[];
}
/** Data type of an attribute. */
export type DataType = (typeof dataTypes)[number];
/** Category of an attribute. */
export type AttributeCategory = (typeof attributeCategories)[number];
/** How the values of an attribute are hidden. */
export type DataMasking = (typeof dataMaskings)[number];
