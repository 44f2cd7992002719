import { Type, type Static } from 'typebox';
import { bodyLimits } from '../common/body-limits.ts';
import { filterProperties } from './search.ts';

const name = {
  minLength: 1,
  maxLength: 255,
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
    ...times,
  },
  { $id: 'List', description: 'A list: an audience with explicit members.' },
);

export type CreateListBody = Static<typeof CreateListBody>;
export type UpdateListBody = Static<typeof UpdateListBody>;
export type List = Static<typeof List>;

const { filtering_criteria_operator } = filterProperties;
const { filtering_criteria } = Type.Required(
  Type.Object({ filtering_criteria: filterProperties.filtering_criteria }),
).properties;

/** Body of segment creation. The filter is that of contact search. */
export const CreateSegmentBody = Type.Object(
  { name: Type.String({ ...name, examples: ['Adults in Pune'] }), filtering_criteria_operator, filtering_criteria },
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
  { name: Type.Optional(Type.String({ ...name, 'x-refuse-null': true })), ...filterProperties },
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

export type CreateSegmentBody = Static<typeof CreateSegmentBody>;
export type UpdateSegmentBody = Static<typeof UpdateSegmentBody>;
export type Segment = Static<typeof Segment>;
/** One segment in an answer, with the number of its contacts. */
export type SegmentDetail = Static<typeof SegmentDetail>;
export type SegmentCount = Static<typeof SegmentCount>;
