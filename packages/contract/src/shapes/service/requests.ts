import { Type, type Static } from 'typebox';
import { failureKinds } from '../../catalogue/errors.ts';
import { pageQueryProperties } from '../common/paging.ts';
import { exampleMoment } from '../common/examples.ts';

/** What becomes of an accepted request: it waits, was applied, or could not be read. */
export const requestStatuses = ['accepted', 'done', 'failed'] as const;

/** Outcomes by which finished requests can be listed; a request can have both. */
export const requestOutcomes = ['failed', 'warnings'] as const;

/** One of {@link requestOutcomes}. */
export type RequestOutcome = (typeof requestOutcomes)[number];

/** Most failures of one answer. */
export const failuresPerAnswer = 1000;

/**
 * Most warnings (parts of items that were left out) that are kept of one item and of one request; the counts have all of them. Why an item
 * failed is always kept.
 */
export const keptWarnings = { perItem: 100, perRequest: 1000 } as const;

/** Query of the listing of requests. */
export const ListRequestsQuery = Type.Object(
  {
    ...pageQueryProperties,
    status: Type.Optional(Type.Enum([...requestStatuses], { description: 'Only requests of this status.' })),
    outcome: Type.Optional(
      Type.Enum([...requestOutcomes], {
        description:
          '`failed`: only finished requests of which at least one item was not applied, or that failed as a whole. `warnings`: only finished requests that left out part of an item. A request with both is in both lists. Together with `status`, both conditions must hold.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Query of one request. */
export const GetRequestQuery = Type.Object(
  {
    failures_cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        'x-blank-is-absent': true,
        description: '`failures_next_cursor` of the answer before; goes on after its last failure.',
      }),
    ),
  },
  { additionalProperties: false },
);

const count = (description: string, example = 0) => Type.Integer({ minimum: 0, description, examples: [example] });

/** What became of the items of a request. */
const RequestCounts = Type.Object(
  {
    total: count('Items of the request.', 1000),
    created: count('Contacts that were created.', 998),
    updated: count('Contacts that were changed.', 2),
    unchanged: count('Contacts that were as the request wanted them.'),
    deleted: count('Contacts that were deleted.'),
    failed: count('Items that were not applied; `failures` says why.'),
    warnings: count(
      `Parts of items that were left out while the rest was applied; \`failures\` lists the first ${keptWarnings.perItem} of an item and the first ${keptWarnings.perRequest} of a request.`,
      1,
    ),
  },
  {
    description:
      'Once the request is finished, total = created + updated + unchanged + deleted + failed; before, all but total are 0.',
  },
);

const requestProperties = {
  request_id: Type.String({ format: 'uuid' }),
  operation: Type.String({ description: 'What was asked for.', examples: ['contact.create'] }),
  status: Type.Enum([...requestStatuses], {
    description: '`accepted`: waits to be applied. `done`: applied. `failed`: could not be applied at all.',
    examples: ['done'],
  }),
  accepted_at: Type.String({ format: 'date-time' }),
  finished_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { examples: [exampleMoment] }),
  counts: RequestCounts,
};

/** One thing of a request that could not be done (decisions, golden rule 4). */
export const RequestFailure = Type.Object(
  {
    index: Type.Integer({ description: 'Index of the item in the request, from 0.', examples: [3] }),
    code: Type.Enum(Object.keys(failureKinds), {
      description: 'Stable reason code; docs/errors.md lists them.',
      examples: ['attribute_type_mismatch'],
    }),
    field: Type.Optional(
      Type.String({ description: 'Field of the item, where one is to blame.', examples: ['attributes.AGE'] }),
    ),
    message: Type.String({ examples: [failureKinds.attribute_type_mismatch.message] }),
    warning: Type.Boolean({ description: 'True when the rest of the item was applied.', examples: [true] }),
  },
  { $id: 'RequestFailure', description: 'Why an item of a request was not applied, or only in part.' },
);

/** A request as the operator API lists it. */
export const RequestSummary = Type.Object(requestProperties, {
  $id: 'RequestSummary',
  description: 'A request and what became of it, without its failures.',
});

/** A request with its failures. */
export const RequestDetail = Type.Object(
  {
    ...requestProperties,
    failures: Type.Array(Type.Ref('RequestFailure'), {
      maxItems: failuresPerAnswer,
      description: `In order of the items, at most ${failuresPerAnswer} in one answer.`,
    }),
    failures_next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Send it as `failures_cursor` for the next failures; null when there are none.',
    }),
  },
  { $id: 'RequestDetail', description: 'A request and what became of it, with its failures.' },
);

export type ListRequestsQuery = Static<typeof ListRequestsQuery>;
export type GetRequestQuery = Static<typeof GetRequestQuery>;
export type RequestSummary = Static<typeof RequestSummary>;

/** One failure as it is answered. */
export interface RequestFailure {
  readonly index: number;
  readonly code: string;
  readonly field?: string;
  readonly message: string;
  readonly warning: boolean;
}

/** One request with its failures as it is answered. */
export interface RequestDetail extends RequestSummary {
  readonly failures: readonly RequestFailure[];
  readonly failures_next_cursor: string | null;
}
