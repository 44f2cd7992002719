import { Type, type Static } from 'typebox';

/** Most characters of the values of an answer to a search; JSON and its escapes come besides. One row of 100 fields always fits. */
export const answerTextLimit = 16 * 1024 * 1024;

/** Limits of a search (decisions §3). */
export const searchLimits = {
  groups: 20,
  conditionsPerGroup: 50,
  valuesPerCondition: 1000,
  fields: 100,
  sortKeys: 3,
  pageSize: 1000,
  defaultPageSize: 10,
} as const;

const word = (description: string, examples: readonly string[], options: object = {}) =>
  Type.String({ minLength: 1, maxLength: 255, description, examples: [...examples], ...options });

/**
 * Unknown keys of a search that look like a condition are refused: ignoring one would widen the audience. Whole words are meant where a part
 * of a word is harmless: `notify_email` is no condition on the address.
 */
export const refuseConditions =
  'filter|criteri|condition|audience|list|segment|attribute|operat|where|exclu|inver|negat|' +
  '(^|_)(data|field|fieldname|values?|rules?|not|and|or)$|^(contact|identit|e_?mail|mobile|phone|match|query|search)';

const condition = Type.Object(
  {
    field: word('Name of a config field, an audience field or an attribute, in any letter case.', ['CITY']),
    field_category: Type.Optional(
      Type.Enum(['config', 'audience', 'attribute'], {
        'x-refuse-null': true,
        description: 'May be left out where the name of the field is unambiguous.',
      }),
    ),
    operation: word('Name of an operation.', ['equals']),
    value: Type.Optional(
      Type.Array(
        Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'], format: 'condition-value' }),
        {
          maxItems: searchLimits.valuesPerCondition,
          description: 'Values to compare with; a single one may stand without the array.',
        },
      ),
    ),
  },
  // Whatever else stands in a condition was meant to change what it says.
  { additionalProperties: false },
);

const operator = (description: string) => Type.Enum(['and', 'or'], { description, 'x-refuse-null': true });

const group = Type.Object(
  {
    condition_operator: Type.Optional(operator('Combines the conditions of the group; default `and`.')),
    condition_details: Type.Array(condition, { minItems: 1, maxItems: searchLimits.conditionsPerGroup }),
  },
  { 'x-refuse-unknown': refuseConditions },
);

/** The filter language: of contact search, audience search and segments (decisions §3). */
export const filterProperties = {
  filtering_criteria_operator: Type.Optional(operator('Combines the groups; required when there is more than one.')),
  filtering_criteria: Type.Optional(
    Type.Array(group, {
      maxItems: searchLimits.groups,
      'x-refuse-null': true,
      description: 'Groups of conditions; absent or empty = all contacts of the account.',
    }),
  ),
};

const output = Type.Object(
  {
    get_count: Type.Optional(Type.Boolean({ description: 'Answer with the exact number of matches in `count`.' })),
    sorting: Type.Optional(
      Type.Array(
        Type.Object({
          field: word('Config field or attribute.', ['created_at']),
          direction: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'Default: asc.' })),
        }),
        {
          maxItems: searchLimits.sortKeys,
          description: 'Default: created_at desc. Nulls come last, ties in order of contact_id.',
        },
      ),
    ),
    pagination: Type.Optional(
      Type.Object({
        page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000_000, description: 'Default: 1.' })),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: searchLimits.pageSize,
            description: `Rows a page; default ${searchLimits.defaultPageSize}. Their values may have 16,777,216 characters together: long texts may need smaller pages.`,
          }),
        ),
        cursor: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 32_768,
            description:
              '`next_cursor` of the answer before: goes on after its last row. The filter and the sorting stay the same; `page` is left out. Another sorting is refused. Another filter is not: the cursor is a position in the sorting, and the answer has the matches behind it.',
          }),
        ),
      }),
    ),
    fields: Type.Optional(
      Type.Array(
        word('Config field or attribute; the answer has it as spelled here.', ['EMAIL', 'CITY'], {
          'x-keep-space': true,
        }),
        { maxItems: searchLimits.fields },
      ),
    ),
  },
  { 'x-refuse-unknown': refuseConditions },
);

/** What every search body has: the filter and the shape of the answer. */
export const searchProperties = {
  ...filterProperties,
  output: Type.Optional(output),
  get_count: Type.Optional(Type.Boolean({ description: 'Accepted here too [older clients].' })),
};

/** Body of contact search (interface §4.1, decisions §3). */
export const SearchContactsBody = Type.Object(searchProperties, {
  $id: 'SearchContactsBody',
  'x-refuse-unknown': refuseConditions,
  'x-refuse-repeats': true,
});

/** Body of search within an audience (decisions §3). */
export const SearchAudienceBody = Type.Object(
  {
    audience_type: Type.Enum(['list', 'segment']),
    audience_id: Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
      minItems: 1,
      maxItems: searchLimits.valuesPerCondition,
      description: 'One or more identifiers: a contact in any of them matches.',
    }),
    ...searchProperties,
  },
  { $id: 'SearchAudienceBody', 'x-refuse-unknown': refuseConditions, 'x-refuse-repeats': true },
);

/** Answer of a search: flat rows whose keys are the requested names as spelled by the caller. */
export const SearchAnswer = Type.Object(
  {
    request_id: Type.String({ format: 'uuid' }),
    code: Type.Literal(200),
    status: Type.Literal('success'),
    description: Type.String(),
    data: Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
    count: Type.Optional(Type.Integer({ description: 'Number of all matches, when asked for.' })),
    next_cursor: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'Cursor of the next page; null on the last one.' }),
    ),
  },
  { $id: 'SearchAnswer' },
);

/** A filter in canonical form. */
export interface Filter {
  readonly filtering_criteria_operator?: 'and' | 'or';
  readonly filtering_criteria?: Static<typeof SearchContactsBody>['filtering_criteria'];
}
export type SearchContactsBody = Static<typeof SearchContactsBody>;
export type SearchAudienceBody = Static<typeof SearchAudienceBody>;
