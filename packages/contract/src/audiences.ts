import { Type, type Static } from 'typebox';

const name = {
  minLength: 1,
  maxLength: 255,
  description: 'Name for people; need not be unique.',
  examples: ['Newsletter'],
};

const audienceProperties = {
  audience_id: Type.Integer({
    description: 'Number of the list or segment; lists and segments of an account are numbered together.',
    examples: [1],
  }),
  name: Type.String(name),
};

const times = {
  created_at: Type.String({ format: 'date-time', description: 'When it was created.' }),
  updated_at: Type.String({ format: 'date-time', description: 'When its definition was changed last.' }),
};

/** Body of list creation (decisions §9). */
export const CreateListBody = Type.Object(
  { name: Type.String(name) },
  { $id: 'CreateListBody', additionalProperties: false },
);

/** Body of list update (decisions §9). */
export const UpdateListBody = Type.Object(
  { name: Type.Optional(Type.String({ ...name, 'x-refuse-null': true })) },
  { $id: 'UpdateListBody', additionalProperties: false, minProperties: 1 },
);

/** A list as the operator API shows it. */
export const List = Type.Object(
  {
    ...audienceProperties,
    audience_type: Type.Literal('list'),
    member_count: Type.Integer({ description: 'Number of contacts on the list.', examples: [1250] }),
    ...times,
  },
  { $id: 'List' },
);

export type CreateListBody = Static<typeof CreateListBody>;
export type UpdateListBody = Static<typeof UpdateListBody>;
export type List = Static<typeof List>;
