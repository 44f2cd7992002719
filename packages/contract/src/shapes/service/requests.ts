import { Type, type Static } from 'typebox';
import { failureKinds } from '../../catalogue/failures.ts';
import { pageQueryProperties } from '../common/paging.ts';
import { exampleMoment, successFields } from '../common/envelope.ts';
import { count } from '../common/fields.ts';

/** States of an accepted request. */
export const requestStatuses = ['accepted', 'done', 'failed'] as const;

/** Status of an accepted request. */
export type RequestStatus = (typeof requestStatuses)[number];

/** Outcomes of finished requests. A request has exactly one of them. */
export const requestOutcomes = ['succeeded', 'some_failed', 'all_failed'] as const;

/** Outcome of a finished request. */
export type RequestOutcome = (typeof requestOutcomes)[number];

/** What finished requests can be filtered by: an outcome, or a property of its items. */
export const outcomeFilters = ['failed', 'warnings', ...requestOutcomes] as const;

/** One of {@link outcomeFilters}. */
export type OutcomeFilter = (typeof outcomeFilters)[number];

/** Maximum number of failures in one answer. */
export const failuresPerAnswer = 1000;

/**
 * Maximum number of stored warnings (parts of items that were left out). The counts include every
 * warning. The reason of a failed item is always stored.
 */
export const keptWarnings = { perItem: 100, perRequest: 1000 } as const;

/** Query of listing requests. */
export const ListRequestsQuery = Type.Object(
  {
    ...pageQueryProperties,
    status: Type.Optional(Type.Enum([...requestStatuses], { description: 'Only requests of this status.' })),
    outcome: Type.Optional(
      Type.Enum([...outcomeFilters], {
        description:
          '`all_failed`: only requests in which every item failed, or that failed as a whole. `some_failed`: only requests in which some items failed. `succeeded`: only requests without failed items. `failed`: only finished requests with at least one item that was not applied, or that failed as a whole. `warnings`: only finished requests with at least one part that was left out. A request can match both. With `status`, both conditions must match.',
      }),
    ),
    has_failures: Type.Optional(
      Type.Boolean({
        description: 'True: the same as `outcome=failed`. False: the same as `outcome=succeeded`.',
      }),
    ),
    operation: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        'x-blank-is-absent': true,
        description: 'Only requests of this kind.',
        examples: ['contact.create'],
      }),
    ),
    from: Type.Optional(
      Type.String({ format: 'date-time', description: 'Only requests that were accepted at this time or later.' }),
    ),
    before: Type.Optional(
      Type.String({ format: 'date-time', description: 'Only requests that were accepted before this time.' }),
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
        description: '`failures_next_cursor` of the previous answer. The next failures begin after its last one.',
      }),
    ),
    failures_code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        'x-blank-is-absent': true,
        description: 'Only failures with this code.',
        examples: ['attribute_type_mismatch'],
      }),
    ),
    failures_with_contacts: Type.Optional(
      Type.Boolean({
        description:
          'True: each failure has the contact that its item names. Needs the permission `contacts:read`. Default: false.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Outcomes of the items of a request. */
const RequestCounts = Type.Object(
  {
    total: count('Items of the request.', 1000),
    created: count('Created contacts, attributes or activities.', 998),
    updated: count('Changed contacts or attributes.', 2),
    unchanged: count('Items that changed nothing, for example because the contact already had these values.'),
    deleted: count('Deleted contacts or attributes.'),
    failed: count('Items that were not applied. `failures` says why.'),
    warnings: count(
      `Parts of items that were left out while the rest was applied. \`failures\` lists the first ${keptWarnings.perItem} of an item and the first ${keptWarnings.perRequest} of a request.`,
      1,
    ),
  },
  {
    description:
      'When the request is finished, total = created + updated + unchanged + deleted + failed. Before that, all counts except `total` are 0.',
  },
);

const requestProperties = {
  request_id: Type.String({ format: 'uuid' }),
  operation: Type.String({ description: 'Kind of the request.', examples: ['contact.create'] }),
  status: Type.Enum([...requestStatuses], {
    description:
      '`accepted`: waits to be applied. `done`: was applied, perhaps with failed items. `failed`: could not be applied as a whole.',
    examples: ['done'],
  }),
  outcome: Type.Union([Type.Enum([...requestOutcomes]), Type.Null()], {
    description:
      '`succeeded`: no item failed. `some_failed`: some items failed. `all_failed`: every item failed, or the request failed as a whole. Null until the request is finished.',
    examples: ['some_failed'],
  }),
  accepted_at: Type.String({ format: 'date-time' }),
  finished_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { examples: [exampleMoment] }),
  counts: RequestCounts,
};

/** The fields by which an item can name its contact, in the order in which they are looked for. */
export const contactNamings = ['contact_id', 'identity', 'email', 'mobile'] as const;

/** Longer values are shortened. */
export const namedContactCharacters = 255;

/** One failure or warning of an item of a request. */
export const RequestFailure = Type.Object(
  {
    index: Type.Integer({ description: 'Index of the item in the request, from 0.', examples: [3] }),
    code: Type.Enum(Object.keys(failureKinds), {
      description: 'Stable reason code. docs/errors.md lists all codes.',
      examples: ['attribute_type_mismatch'],
    }),
    field: Type.Optional(
      Type.String({ description: 'Field of the item, if the reason concerns one.', examples: ['attributes.AGE'] }),
    ),
    message: Type.String({ examples: [failureKinds.attribute_type_mismatch.message] }),
    warning: Type.Boolean({ description: 'True when the rest of the item was applied.', examples: [true] }),
    contact: Type.Optional(
      Type.Object(
        {
          field: Type.Enum([...contactNamings], { description: 'The field of the item.' }),
          value: Type.String({
            description: `The value as it was sent, up to ${namedContactCharacters} characters. A masked identity is masked.`,
            examples: ['asha@example.com'],
          }),
        },
        {
          description:
            'The contact that the item names, with `failures_with_contacts`. Absent if the item names none, or if its person was erased.',
        },
      ),
    ),
  },
  { $id: 'RequestFailure', description: 'Why an item of a request was not applied, or only in part.' },
);

/** A request as the operator API lists it. */
export const RequestSummary = Type.Object(requestProperties, {
  $id: 'RequestSummary',
  description: 'A request and its outcome, without its failures.',
});

/** A request with its failures. */
export const RequestDetail = Type.Object(
  {
    ...requestProperties,
    failure_codes: Type.Array(
      Type.Object({
        code: Type.Enum(Object.keys(failureKinds), { examples: ['attribute_type_mismatch'] }),
        count: Type.Integer({ description: 'Number of failures and warnings with this code.', examples: [1] }),
      }),
      { description: 'The codes of all failures and warnings, the most frequent first.' },
    ),
    failures: Type.Array(Type.Ref('RequestFailure'), {
      maxItems: failuresPerAnswer,
      description: `In the order of the items, up to ${failuresPerAnswer} in one answer.`,
    }),
    failures_next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Send it as `failures_cursor` to get the next failures. Null when there are no more.',
    }),
  },
  { $id: 'RequestDetail', description: 'A request and its outcome, with its failures.' },
);

/** What became of a request, for a caller who waited for it. */
export const WaitedOutcome = Type.Object(
  {
    status: Type.Enum(['done', 'failed'], {
      description: '`done`: was applied, perhaps with failed items. `failed`: could not be applied as a whole.',
      examples: ['done'],
    }),
    finished_at: Type.String({ format: 'date-time', examples: [exampleMoment] }),
    counts: Type.Optional(RequestCounts),
    failures: Type.Optional(
      Type.Array(Type.Ref('RequestFailure'), {
        maxItems: failuresPerAnswer,
        description: `The failures and warnings in the order of the items, up to ${failuresPerAnswer}. Empty if there are none.`,
      }),
    ),
    failures_truncated: Type.Optional(
      Type.Boolean({
        description: 'True if there are more failures. Get them with the operation that returns a request.',
        examples: [false],
      }),
    ),
  },
  {
    $id: 'WaitedOutcome',
    description:
      'What became of the request. Present if the caller sent `Prefer: wait=N` and the request was applied in time. `counts`, `failures` and `failures_truncated` need the permission `requests:read`.',
  },
);

/** Answer of V5 with one request and its outcome. */
export const GetRequestAnswer = Type.Object(
  {
    ...successFields('The request was applied'),
    data: Type.Array(Type.Ref('RequestDetail'), { minItems: 1, maxItems: 1, description: 'The request.' }),
  },
  {
    $id: 'GetRequestAnswer',
    description: '`data` has the request. The `request_id` of the answer itself belongs to this call.',
  },
);

export type ListRequestsQuery = Static<typeof ListRequestsQuery>;
export type GetRequestQuery = Static<typeof GetRequestQuery>;
export type RequestSummary = Static<typeof RequestSummary>;

/** One failure in an answer. */
export interface RequestFailure {
  readonly index: number;
  readonly code: string;
  readonly field?: string;
  readonly message: string;
  readonly warning: boolean;
  readonly contact?: { readonly field: (typeof contactNamings)[number]; readonly value: string };
}

/** One request with its failures, in an answer. */
export interface RequestDetail extends RequestSummary {
  readonly failure_codes: readonly { readonly code: string; readonly count: number }[];
  readonly failures: readonly RequestFailure[];
  readonly failures_next_cursor: string | null;
}

/** What became of a request, in an answer. Without `requests:read`, it has only the first two fields. */
export interface WaitedOutcome {
  readonly status: 'done' | 'failed';
  readonly finished_at: string;
  readonly counts?: RequestSummary['counts'];
  readonly failures?: readonly RequestFailure[];
  readonly failures_truncated?: boolean;
}
