import { Type, type Static } from 'typebox';
import { closed } from '../common/closed.ts';
import { exampleMoment, exampleRequestId } from '../common/envelope.ts';
import { maxInteger, pageLimits } from '../common/paging.ts';

const audienceTypes = ['list', 'segment'] as const;

/** Orders of the older list of audiences. */
const sortKeys = ['ids', 'updated_date', 'last_refreshed_date'] as const;

/** Conditions on `updated_date`: operations of the filter language. */
const dateConditions = [
  'equals',
  'greater_than',
  'greater_than_or_equal',
  'less_than',
  'less_than_or_equal',
  'between',
  'in_last',
] as const;

/** Default of the page of the older list of audiences. */
export const olderPage = { page_no: 1, page_size: 10 } as const;

const dateRange = Type.Object(
  {
    condition: Type.Enum([...dateConditions], {
      description: 'An operation of the filter language of contact search, with the same meaning.',
      examples: ['between'],
    }),
    value: Type.Array(
      Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'], format: 'condition-value' }),
      {
        minItems: 1,
        maxItems: 1000,
        description:
          'Two dates for `between`, a length of time for `in_last`, one or more dates for `equals`, and one date for the other conditions. A date is one of `2026-01-31`, `31-01-2026`, `31/01/2026`, a date-time with its offset from UTC, or relative, such as `-30 days`. A date without a time means the whole day in the time zone of the account. A single value can be sent without the array.',
        examples: [['2026-01-01', '2026-01-31']],
      },
    ),
  },
  { ...closed, description: 'Only audiences whose definition was changed last in this time.' },
);

/** Body of the older list of audiences. */
export const ListAudiencesBody = Type.Object(
  {
    audience_type: Type.Enum([...audienceTypes], { description: 'In any letter case.', examples: ['list'] }),
    page_details: Type.Optional(
      Type.Object(
        {
          page_no: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 100_000_000,
              default: olderPage.page_no,
              description: `Default: ${olderPage.page_no}.`,
            }),
          ),
          page_size: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: pageLimits.max,
              default: olderPage.page_size,
              description: `Audiences on a page. Default: ${olderPage.page_size}.`,
            }),
          ),
        },
        closed,
      ),
    ),
    sorting_criteria: Type.Optional(
      Type.Object(
        {
          sort_by: Type.Optional(
            Type.Enum([...sortKeys], {
              description: 'Default: ids. Audiences with equal values are ordered by their ids.',
            }),
          ),
          sort_order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'Default: asc.' })),
        },
        closed,
      ),
    ),
    filtering_criteria: Type.Optional(
      Type.Object(
        {
          audience_ids: Type.Optional(
            Type.Array(Type.Integer({ minimum: 1, maximum: maxInteger }), {
              minItems: 1,
              maxItems: 1000,
              description:
                'Only these audiences. Numbers that are not of an audience of this type are left out of the answer.',
              examples: [[1, 2]],
            }),
          ),
          last_updated_date_range: Type.Optional(dateRange),
        },
        closed,
      ),
    ),
  },
  {
    $id: 'ListAudiencesBody',
    description: 'Which lists or segments to return.',
    ...closed,
    'x-refuse-repeats': true,
  },
);

/** One list or segment in the older list of audiences. */
const olderAudience = Type.Object({
  audience_id: Type.Integer({ description: 'Number of the list or segment.', examples: [1] }),
  audience_type: Type.Enum([...audienceTypes]),
  name: Type.String({ examples: ['Newsletter'] }),
  count: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description:
      'Number of contacts, as of `last_refreshed_date`, or now if that is null. Null: the segment could not be counted in time, or its filter no longer fits the account.',
    examples: [1250],
  }),
  created_date: Type.String({ format: 'date-time', description: 'When it was created.', examples: [exampleMoment] }),
  updated_date: Type.String({
    format: 'date-time',
    description: 'When its definition was changed last.',
    examples: [exampleMoment],
  }),
  last_refreshed_date: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description:
      'The beginning of the day on which the service counted the segment last, in the time zone of the account. Null: `count` is the number now. That is so for lists, for live segments that follow, and for segments that were not counted yet.',
    examples: [null],
  }),
});

/** Answer of the older list of audiences. */
export const ListAudiencesAnswer = Type.Object(
  {
    data: Type.Object({
      status: Type.Literal('success'),
      description: Type.String({ examples: ['Audiences found'] }),
      request_id: Type.String({
        format: 'uuid',
        description: 'Identifier of the request.',
        examples: [exampleRequestId],
      }),
      page_details: Type.Object({
        page_no: Type.Integer({ examples: [1] }),
        page_size: Type.Integer({ examples: [10] }),
        total_count: Type.Integer({ description: 'Audiences that match, on all pages.', examples: [1] }),
        total_pages: Type.Integer({ examples: [1] }),
      }),
      audiences: Type.Array(olderAudience),
    }),
    message: Type.String({ description: 'The same text as the description.', examples: ['Audiences found'] }),
    statusCode: Type.Literal(200),
  },
  { $id: 'ListAudiencesAnswer', description: 'One page of lists or segments.' },
);

export type ListAudiencesBody = Static<typeof ListAudiencesBody>;
export type ListAudiencesAnswer = Static<typeof ListAudiencesAnswer>;
