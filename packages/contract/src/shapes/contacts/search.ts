import { Type, type Static } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { closed } from '../common/closed.ts';
import { successFields } from '../common/envelope.ts';
import { nextCursor } from '../common/paging.ts';
import { searchEnvelope, searchLimits } from '../common/search-envelope.ts';
import { activityConditionProperties } from './activity-conditions.ts';

/**
 * Maximum number of characters of all values in the answer of a search, without the JSON around
 * them. One row of 100 fields always fits.
 */
export const answerTextLimit = 16 * 1024 * 1024;

const searched = searchEnvelope(
  {
    field: {
      description:
        'Name of a config field, an audience field or an attribute, in any letter case. `activity` for the activities of the contact.',
      example: 'CITY',
    },
    operation:
      '`equals`, `not_equals`, `equals_ignore_case`, `not_equals_ignore_case`, `contains`, `not_contains`, `starts_with`, `ends_with`, `greater_than`, `greater_than_or_equal`, `less_than`, `less_than_or_equal`, `between`, `in_last`, `not_in_last`, `in_next`, `anniversary`, `anniversary_in_next`, `is_null` or `is_not_null`. For the field `activity`: `at_least`, `at_most`, `exactly` or `never`.',
    value: {
      description:
        'Values to compare with. A single value can be sent without the array. For dates and date-times, also relative dates, such as `today`, `-30 days` or `this month`. For `in_last` and similar operations, a length of time, such as `30 days`. For the field `activity`, how often it happened, such as 1.',
      example: 'Pune',
    },
    unfiltered: 'all contacts of the account',
    sortField: { description: 'Config field or attribute.', example: 'created_at' },
    sorting: 'Default: created_at desc. Contacts without a value come last. Equal values are ordered by `contact_id`.',
    pageSize: ' All values together can have up to 16,777,216 characters, so long texts can need smaller pages.',
    cursor:
      '`next_cursor` of the previous answer. The page begins after its last row. Leave out `page`, and send the same filter and sorting. Another sorting is refused. Another filter is accepted: the answer then has its matches after the same position in the sorting.',
    outputField: {
      description: 'Config field or attribute. The answer spells the name as you do here.',
      examples: ['EMAIL', 'CITY'],
    },
  },
  {
    field_category: Type.Optional(
      Type.Enum(['config', 'audience', 'attribute', 'derived', 'activity'], {
        description: 'Optional. The service finds the category by the name of the field.',
      }),
    ),
    ...activityConditionProperties,
  },
);

const { filtering_criteria_operator, filtering_criteria } = searched;

/** The filter of contact search, audience search and segments. */
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
          'Required, together with `audience_id`, unless a condition names the audience. Such a condition is on `list_id` or `segment_id` with `equals` and one value, and is not part of an `or`.',
      }),
    ),
    audience_id: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
        minItems: 1,
        maxItems: searchLimits.valuesPerCondition,
        description: 'One or more numbers of audiences. A contact in any of them matches.',
      }),
    ),
    ...searched,
  },
  {
    $id: 'SearchAudienceBody',
    description: 'A search of the contacts of one list or segment.',
    examples: [{ audience_type: 'list', audience_id: [1] }],
    'x-body': bodyLimits.filter,
    ...closed,
    'x-refuse-repeats': true,
  },
);

/**
 * Answer of a search: flat rows. Their keys are the requested names, as the caller spelled them.
 */
export const SearchAnswer = Type.Object(
  {
    ...successFields('Contacts found'),
    data: Type.Array(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        examples: [{ contact_id: 1, EMAIL: 'asha@example.com', MOBILE: '919812345678', CITY: 'Pune' }],
      }),
    ),
    count: Type.Optional(Type.Integer({ description: 'Number of all matches, if you asked for it.', examples: [1] })),
    next_cursor: Type.Optional(nextCursor),
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
