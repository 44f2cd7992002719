import { Type, type Static } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { pageQueryProperties } from '../common/paging.ts';
import { AttributeValue, optOutChannels } from '../contacts/contacts.ts';
import { filterProperties } from '../contacts/search.ts';
import { searchLimits } from '../common/search-envelope.ts';
import { momentOrNull } from '../common/fields.ts';

/** Limits of a bulk change. */
export const bulkChangeLimits = {
  /** Bulk changes of an account that have not ended. */
  unfinished: 100,
  /** Contacts in `contact_ids`. */
  contactIds: 10_000,
  /** Contacts that one bulk change can erase. */
  erasures: 10_000,
  /** Days for which an ended bulk change and its failures are kept. */
  keptDays: 30,
} as const;

/** What a bulk change can do with each contact. */
export const bulkActions = [
  'add_to_list',
  'remove_from_list',
  'set_attribute',
  'opt_out',
  'opt_in',
  'delete',
  'erase',
] as const;

/** The kind of action of a bulk change. */
export type BulkActionType = (typeof bulkActions)[number];

/** States of a bulk change. */
export const bulkChangeStatuses = ['accepted', 'running', 'completed', 'failed', 'cancelled'] as const;

/** Status of a bulk change. */
export type BulkChangeStatus = (typeof bulkChangeStatuses)[number];

/** Every `failure.code` of a bulk change that failed, with what to do. */
export const bulkChangeFailures = {
  count_changed:
    'The number of contacts changed between the confirmation and the start. Nothing was changed. Count again.',
  filter_invalid: 'The filter can no longer be evaluated, because an audience was deleted. Nothing was changed.',
  internal: 'An internal error occurred. Search the log for the bulk_change_id.',
} as const;

/** Code of the reason why a bulk change failed. */
export type BulkChangeFailureCode = keyof typeof bulkChangeFailures;

/** The action of a bulk change. */
export const BulkAction = Type.Object(
  {
    type: Type.Enum([...bulkActions], {
      description:
        '`add_to_list` and `remove_from_list` need `audience_id`. `set_attribute` needs `attribute` and `value`. `opt_out` and `opt_in` need `channels`. `delete` deletes the contacts. `erase` erases the people with all traces, and needs the permission `privacy:write`.',
      examples: ['add_to_list'],
    }),
    audience_id: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Number of the list.', examples: [1] }),
    ),
    attribute: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Name of an attribute. It must not be EMAIL, MOBILE or the primary key.',
      }),
    ),
    value: Type.Optional(
      Type.Unsafe<string | number | boolean | null>({
        ...AttributeValue,
        description: 'The new value. It must fit the data type. Null clears the value.',
      }),
    ),
    channels: Type.Optional(
      Type.Array(Type.Enum([...optOutChannels]), { minItems: 1, maxItems: 3, description: 'One or more channels.' }),
    ),
  },
  { additionalProperties: false, examples: [{ type: 'add_to_list', audience_id: 1 }] },
);

/** Body of bulk change creation. */
export const CreateBulkChangeBody = Type.Object(
  {
    ...filterProperties,
    audience_type: Type.Optional(
      Type.Enum(['list', 'segment'], { description: 'Only contacts of these audiences. Send it with `audience_id`.' }),
    ),
    audience_id: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
        minItems: 1,
        maxItems: searchLimits.valuesPerCondition,
        description: 'Numbers of audiences. A contact in any of them matches.',
      }),
    ),
    contact_ids: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
        minItems: 1,
        maxItems: bulkChangeLimits.contactIds,
        description: 'Instead of a filter: the contacts. A repeated number counts once.',
      }),
    ),
    all_contacts: Type.Optional(
      Type.Boolean({
        description: 'Must be true if there is no filter, no audience and no `contact_ids`. Then all contacts change.',
      }),
    ),
    action: BulkAction,
    expected_count: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The number of contacts that a person has confirmed. For `delete` and `erase`, it must be exact. For other actions, it may differ by 1 percent.',
      examples: [1250],
    }),
  },
  {
    $id: 'CreateBulkChangeBody',
    description: 'Contacts, and one action for each of them.',
    'x-body': bodyLimits.filter,
    additionalProperties: false,
    'x-refuse-repeats': true,
  },
);

/** Query of listing bulk changes. */
export const ListBulkChangesQuery = Type.Object(
  {
    ...pageQueryProperties,
    status: Type.Optional(Type.Enum([...bulkChangeStatuses], { description: 'Only bulk changes of this status.' })),
  },
  { additionalProperties: false },
);

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(shape: T, options: Record<string, unknown>) =>
  Type.Union([shape, Type.Null()], options);
const count = (description: string, example: number) => Type.Integer({ description, examples: [example] });

const exampleFilter = [
  { condition_operator: 'and', condition_details: [{ field: 'CITY', operation: 'equals', value: ['Pune'] }] },
];

/** A bulk change as the operator API shows it. */
export const BulkChange = Type.Object(
  {
    bulk_change_id: Type.String({ format: 'uuid' }),
    status: Type.Enum([...bulkChangeStatuses], {
      description:
        '`accepted`: waits for a worker. `failed`: see `failure`. `cancelled`: contacts that were changed before stay changed.',
      examples: ['running'],
    }),
    author: Type.String({ description: 'Who created it, as in the audit log.', examples: ['operator'] }),
    action: BulkAction,
    selection: Type.Object(
      {
        by: Type.Enum(['filter', 'contact_ids', 'all'], { examples: ['filter'] }),
        filtering_criteria_operator: filterProperties.filtering_criteria_operator,
        filtering_criteria: filterProperties.filtering_criteria,
        audience_type: Type.Optional(Type.Enum(['list', 'segment'])),
        audience_id: Type.Optional(Type.Array(Type.Integer())),
      },
      {
        description:
          'How the contacts were chosen. The filter of an ended `erase` is missing, because it can name the people.',
        examples: [{ by: 'filter', filtering_criteria_operator: 'and', filtering_criteria: exampleFilter }],
      },
    ),
    expected_count: count('The number that a person has confirmed.', 1250),
    progress: Type.Object({
      total: nullable(Type.Integer(), {
        description: 'Number of chosen contacts. Null until they are chosen, at the beginning of the first run.',
        examples: [1250],
      }),
      done: count('Contacts that are changed, unchanged or failed.', 1000),
      percent: count('From 0 to 100. Only a completed bulk change shows 100.', 80),
      contacts_per_second: nullable(Type.Integer(), { description: 'Null when it is unknown.', examples: [2500] }),
      seconds_left: nullable(Type.Integer(), {
        description: 'Expected seconds until the end. Null when it is unknown.',
        examples: [1],
      }),
    }),
    counts: Type.Object({
      changed: count('Contacts that were changed, deleted or erased.', 990),
      unchanged: count('Contacts that were already as wanted.', 8),
      failed: count('Contacts that failed. **List the failures of a bulk change** lists them.', 2),
      warnings: count('Warnings about contacts of which one part was left out.', 0),
    }),
    failure: nullable(Type.Object({ code: Type.String(), message: Type.String() }), {
      description: 'Why the bulk change failed as a whole. Null if it did not.',
    }),
    created_at: Type.String({ format: 'date-time' }),
    started_at: momentOrNull('When a worker first began.'),
    finished_at: momentOrNull('When it ended.'),
  },
  { $id: 'BulkChange', description: 'One action on many contacts, and its progress.' },
);

/** A failure of one contact of a bulk change. */
export const BulkChangeFailure = Type.Object(
  {
    contact_id: Type.Integer({ examples: [17] }),
    code: Type.String({ description: 'A code of docs/errors.md.', examples: ['contact_not_found'] }),
    field: nullable(Type.String(), { description: 'The field that failed, or null.', examples: ['contact_id'] }),
    message: Type.String({ examples: ['The contact does not exist.'] }),
    warning: Type.Boolean({ description: 'True: only a part was left out, and the rest of the change was made.' }),
  },
  { $id: 'BulkChangeFailure', description: 'Why one contact was not changed, or only in part.' },
);

export type BulkAction = Static<typeof BulkAction>;
export type CreateBulkChangeBody = Static<typeof CreateBulkChangeBody>;
export type ListBulkChangesQuery = Static<typeof ListBulkChangesQuery>;
export type BulkChange = Static<typeof BulkChange>;
export type BulkChangeFailure = Static<typeof BulkChangeFailure>;
