import { Type, type Static } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { pageQueryProperties } from '../common/paging.ts';
import { filterProperties } from './search.ts';

const name = {
  minLength: 1,
  maxLength: 255,
  'x-plain-name': true,
  description: 'Name for people. It does not have to be unique.',
  examples: ['Newsletter'],
};

const audienceProperties = {
  audience_id: Type.Integer({
    description: 'Number of the list or segment. Lists and segments of an account share one sequence of numbers.',
    examples: [1],
  }),
  name: Type.String(name),
};

const times = {
  created_at: Type.String({ format: 'date-time', description: 'When it was created.' }),
  updated_at: Type.String({ format: 'date-time', description: 'When its definition was changed last.' }),
};

/** What can use a list or segment. */
const audienceUsers = ['segment', 'export', 'export_schedule', 'event_subscription', 'import'] as const;

/** Maximum number of uses that an audience shows. */
export const shownUses = 20;

/** One use of a list or segment. */
export const AudienceUse = Type.Object(
  {
    feature: Type.Enum([...audienceUsers], {
      description:
        'What uses the audience. `segment`: `id` is the audience_id of a segment whose filter names it. `export`: `id` is the request_id of an unfinished export of it. `export_schedule`: `id` is the schedule_id. `event_subscription`: `id` is the subscription_id. `import`: `id` is the import_id of an unfinished import that adds contacts to it.',
    }),
    id: Type.Unsafe<number | string>({ type: ['integer', 'string'], examples: [2] }),
    name: Type.String({ examples: ['Gold members'] }),
    prevents_deletion: Type.Boolean({ description: 'True when the audience cannot be deleted because of this use.' }),
  },
  { $id: 'AudienceUse', description: 'One use of a list or segment.' },
);

const uses = {
  uses: Type.Array(Type.Ref('AudienceUse'), {
    description: `What uses it now: the first ${shownUses} uses that the caller may read. Segments need \`segments:read\`, exports and schedules \`exports:read\`, event subscriptions \`callbacks:read\`, and imports \`imports:read\`.`,
  }),
  use_count: Type.Integer({
    minimum: 0,
    description: 'Number of all uses, also those that the caller may not read.',
    examples: [1],
  }),
};

/** Orders of lists and segments. */
export const audienceOrders = ['audience_id', 'name', 'updated_at'] as const;

/** Orders of lists: those of all audiences, and the largest first. */
export const listOrders = [...audienceOrders, 'member_count'] as const;

const audiencePageProperties = {
  ...pageQueryProperties,
  // The cursor can contain a name.
  cursor: Type.Optional(Type.String({ ...pageQueryProperties.cursor, maxLength: 2000 })),
  contains: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      'x-blank-is-absent': true,
      description: 'Only those whose name contains this text, in any letter case.',
    }),
  ),
};

const orderText =
  '`audience_id` (default), `name` in any letter case, or `updated_at`, the latest change first. Send the same order with a cursor.';

/** Query of listing segments. */
export const ListSegmentsQuery = Type.Object(
  { ...audiencePageProperties, order: Type.Optional(Type.Enum([...audienceOrders], { description: orderText })) },
  { additionalProperties: false },
);

/** Query of listing lists. */
export const ListListsQuery = Type.Object(
  {
    ...audiencePageProperties,
    order: Type.Optional(
      Type.Enum([...listOrders], { description: `${orderText} Lists also have \`member_count\`, the largest first.` }),
    ),
  },
  { additionalProperties: false },
);

export type AudienceUse = Static<typeof AudienceUse>;
/** An order of lists or segments. */
export type AudienceOrder = (typeof listOrders)[number];
export type ListSegmentsQuery = Static<typeof ListSegmentsQuery>;
export type ListListsQuery = Static<typeof ListListsQuery>;

/** Body of list creation. */
export const CreateListBody = Type.Object(
  { name: Type.String(name) },
  { $id: 'CreateListBody', description: 'A new list.', additionalProperties: false },
);

/** Body of list update. */
export const UpdateListBody = Type.Object(
  { name: Type.Optional(Type.String({ ...name, 'x-refuse-null': true })) },
  { $id: 'UpdateListBody', description: 'Changes of a list.', additionalProperties: false, minProperties: 1 },
);

/** A list as the operator API shows it. */
export const List = Type.Object(
  {
    ...audienceProperties,
    audience_type: Type.Literal('list'),
    member_count: Type.Integer({ description: 'Number of contacts on the list.', examples: [1250] }),
    ...uses,
    ...times,
  },
  { $id: 'List', description: 'A list: an audience with explicit members.' },
);

export type CreateListBody = Static<typeof CreateListBody>;
export type UpdateListBody = Static<typeof UpdateListBody>;
/** A list in an answer. */
export interface List extends Omit<Static<typeof List>, 'uses'> {
  readonly uses: readonly AudienceUse[];
}

const { filtering_criteria_operator } = filterProperties;
const { filtering_criteria } = Type.Required(
  Type.Object({ filtering_criteria: filterProperties.filtering_criteria }),
).properties;

/** Maximum number of lists of an account. An import reads the names of all of them. */
export const listsPerAccount = 100_000;

/** Maximum number of segments of an account. Several operations read all of them. */
export const segmentsPerAccount = 10_000;

/** Maximum number of live segments of an account. */
export const liveSegmentsPerAccount = 20;

const live = {
  description: `True: the members are stored, follow every change within seconds, and their entries and departures are recorded. An account can have up to ${liveSegmentsPerAccount} live segments.`,
  examples: [true],
};

/** How a live segment follows. */
export const LiveSegment = Type.Object(
  {
    state: Type.Enum(['filling', 'following', 'broken'], {
      description:
        '`filling`: a worker evaluates all contacts, because the segment is new or must be filled again. `following`: the members follow every change. `broken`: the filter no longer fits the account, and the members do not change.',
      examples: ['following'],
    }),
    member_count: Type.Integer({
      minimum: 0,
      description: 'Number of members: the contacts that matched when `lag_seconds` is 0.',
      examples: [830],
    }),
    lag_seconds: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description: 'Age of the oldest change that is not followed yet; 0 if there is none. Null unless following.',
      examples: [0.3],
    }),
    started_at: Type.String({ format: 'date-time', description: 'When the segment was made live.' }),
    filled_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When all contacts had been evaluated. Null while filling.',
    }),
  },
  { $id: 'LiveSegment', description: 'How a live segment follows changes.' },
);

/** Why contacts entered or left a live segment. */
export const liveChangeCauses = ['filled', 'changed', 'date'] as const;

/** One contact that entered or left a live segment. */
export const SegmentChange = Type.Object(
  {
    contact_id: Type.Integer({ description: 'The contact. It may have been deleted since.', examples: [17] }),
    change: Type.Enum(['entered', 'left'], { description: 'What the contact did.' }),
    cause: Type.Enum([...liveChangeCauses], {
      description:
        '`filled`: the segment became live, or all contacts were evaluated again, such as after a change of its filter. `changed`: the contact or its activities changed. `date`: time passed.',
    }),
    occurred_at: Type.String({ format: 'date-time', description: 'When the segment followed.' }),
  },
  { $id: 'SegmentChange', description: 'A contact that entered or left a live segment.' },
);

/** Query of listing the changes of a live segment. */
export const ListSegmentChangesQuery = Type.Object(pageQueryProperties, { additionalProperties: false });

/** Body of segment creation. The filter is that of contact search. */
export const CreateSegmentBody = Type.Object(
  {
    name: Type.String({ ...name, examples: ['Adults in Pune'] }),
    filtering_criteria_operator,
    filtering_criteria,
    live: Type.Optional(Type.Boolean(live)),
  },
  {
    $id: 'CreateSegmentBody',
    description: 'A new segment: a name and a filter.',
    'x-body': bodyLimits.filter,
    additionalProperties: false,
    'x-refuse-repeats': true,
  },
);

/** Body of segment update: a new filter replaces the old one as a whole. */
export const UpdateSegmentBody = Type.Object(
  {
    name: Type.Optional(Type.String({ ...name, 'x-refuse-null': true })),
    ...filterProperties,
    live: Type.Optional(Type.Boolean({ ...live, 'x-refuse-null': true })),
  },
  {
    $id: 'UpdateSegmentBody',
    description: 'Changes of a segment. Fields that are absent do not change.',
    'x-body': bodyLimits.filter,
    additionalProperties: false,
    minProperties: 1,
    'x-refuse-repeats': true,
  },
);

const exampleFilter = [
  { condition_operator: 'and', condition_details: [{ field: 'CITY', operation: 'equals', value: ['Pune'] }] },
];

/** A segment as the operator API shows it. The filter has the current names of attributes. */
export const Segment = Type.Object(
  {
    ...audienceProperties,
    audience_type: Type.Literal('segment'),
    ...Type.Required(Type.Object(filterProperties)).properties,
    filtering_criteria: { ...filtering_criteria, examples: [exampleFilter] },
    has_masked_conditions: Type.Boolean({
      description:
        'True: a condition uses an attribute that is masked for the caller. Its values are shown as `****`, so the caller cannot send this filter in a request.',
      examples: [false],
    }),
    live: Type.Union([Type.Ref('LiveSegment'), Type.Null()], {
      description: 'How the segment follows changes. Null: the segment is not live.',
    }),
    ...uses,
    ...times,
  },
  { $id: 'Segment', description: 'A segment: a saved filter that is evaluated when it is used.' },
);

/** One segment with the number of its contacts. */
export const SegmentDetail = Type.Object(
  {
    ...Segment.properties,
    contact_count: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description:
        'Number of contacts in the segment now. Null when the segment cannot be evaluated. **Count a segment** then says why.',
      examples: [830],
    }),
  },
  { $id: 'SegmentDetail', description: 'A segment with its filter and the number of its contacts.' },
);

/** The number of contacts in a segment now. */
export const SegmentCount = Type.Object(
  { audience_id: audienceProperties.audience_id, count: Type.Integer({ minimum: 0, examples: [830] }) },
  { $id: 'SegmentCount', description: 'The number of contacts in a segment now.' },
);

export type LiveSegment = Static<typeof LiveSegment>;
export type SegmentChange = Static<typeof SegmentChange>;
export type ListSegmentChangesQuery = Static<typeof ListSegmentChangesQuery>;
export type CreateSegmentBody = Static<typeof CreateSegmentBody>;
export type UpdateSegmentBody = Static<typeof UpdateSegmentBody>;
/** A segment in an answer. */
export interface Segment extends Omit<Static<typeof Segment>, 'uses' | 'live'> {
  readonly live: LiveSegment | null;
  readonly uses: readonly AudienceUse[];
}
/** One segment in an answer, with the number of its contacts. */
export interface SegmentDetail extends Segment {
  readonly contact_count: number | null;
}
export type SegmentCount = Static<typeof SegmentCount>;
