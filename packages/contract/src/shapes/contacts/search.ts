import { Type, type Static } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { closed } from '../common/closed.ts';
import { searchEnvelope, searchLimits } from '../common/search-envelope.ts';

/** Most characters of the values of an answer to a search; JSON and its escapes come besides. One row of 100 fields always fits. */
export const answerTextLimit = 16 * 1024 * 1024;

const searched = searchEnvelope({
  field: {
    description: 'Name of a config field, an audience field or an attribute, in any letter case.',
    example: 'CITY',
  },
  fieldCategory: 'May be left out where the name of the field is unambiguous.',
  operation: 'Name of an operation.',
  value: 'Values to compare with; a single one may stand without the array.',
  unfiltered: 'all contacts of the account',
  sortField: { description: 'Config field or attribute.', example: 'created_at' },
  sorting: 'Default: created_at desc. Nulls come last, ties in order of contact_id.',
  pageSize: ' Their values may have 16,777,216 characters together: long texts may need smaller pages.',
  cursor:
    '`next_cursor` of the answer before: goes on after its last row. The filter and the sorting stay the same; `page` is left out. Another sorting is refused. Another filter is not: the cursor is a position in the sorting, and the answer has the matches behind it.',
  outputField: {
    description: 'Config field or attribute; the answer has it as spelled here.',
    examples: ['EMAIL', 'CITY'],
  },
});

const { filtering_criteria_operator, filtering_criteria } = searched;

/** The filter language: of contact search, audience search and segments. */
export const filterProperties = { filtering_criteria_operator, filtering_criteria };

/** Body of contact search. */
export const SearchContactsBody = Type.Object(searched, {
  $id: 'SearchContactsBody',
  description: 'A search of contacts. An empty object finds all of them.',
  'x-body': bodyLimits.filter,
  ...closed,
  'x-refuse-repeats': true,
});

/** Body of search within an audience. */
export const SearchAudienceBody = Type.Object(
  {
    audience_type: Type.Optional(
      Type.Enum(['list', 'segment'], {
        description:
          'Left out together with `audience_id` when a condition on `list_id` or `segment_id` names the audience: `equals`, one value, in no `or`.',
      }),
    ),
    audience_id: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
        minItems: 1,
        maxItems: searchLimits.valuesPerCondition,
        description: 'One or more identifiers: a contact in any of them matches.',
      }),
    ),
    ...searched,
  },
  {
    $id: 'SearchAudienceBody',
    description: 'A search of the contacts of one list or segment.',
    'x-body': bodyLimits.filter,
    ...closed,
    'x-refuse-repeats': true,
  },
);

/** Answer of a search: flat rows whose keys are the requested names as spelled by the caller. */
export const SearchAnswer = Type.Object(
  {
    request_id: Type.String({ format: 'uuid' }),
    code: Type.Literal(200),
    status: Type.Literal('success'),
    description: Type.String({ examples: ['Contacts found'] }),
    data: Type.Array(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        examples: [{ contact_id: 1, EMAIL: 'asha@example.com', MOBILE: '919812345678', CITY: 'Pune' }],
      }),
    ),
    count: Type.Optional(Type.Integer({ description: 'Number of all matches, when asked for.', examples: [1] })),
    next_cursor: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'Cursor of the next page; null on the last one.' }),
    ),
  },
  { $id: 'SearchAnswer', description: 'The contacts found, with the requested fields.' },
);

/** A filter in canonical form. */
export interface Filter {
  readonly filtering_criteria_operator?: 'and' | 'or';
  readonly filtering_criteria?: Static<typeof SearchContactsBody>['filtering_criteria'];
}
export type SearchContactsBody = Static<typeof SearchContactsBody>;
export type SearchAudienceBody = Static<typeof SearchAudienceBody>;
