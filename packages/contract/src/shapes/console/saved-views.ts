import { Type, type Static } from 'typebox';
import { pageQueryProperties } from '../common/paging.ts';

/** Limits of saved views. */
export const viewLimits = {
  /** Bytes of the state as JSON. */
  stateBytes: 16_384,
  /** Shared views of an account, and views of one person in an account. */
  perOwner: 500,
} as const;

const nameOptions = {
  minLength: 1,
  maxLength: 255,
  'x-plain-name': true,
  description: 'Name for people. It does not have to be unique.',
  examples: ['Customers in Pune'],
};
const name = Type.String(nameOptions);
const pageOptions = {
  minLength: 1,
  maxLength: 64,
  pattern: '^[a-z0-9][a-z0-9/_-]*$',
  description: 'The page of the console, in lower-case letters.',
  examples: ['contacts'],
};
const page = Type.String(pageOptions);
const state = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  format: 'json-object',
  additionalProperties: true,
  description: `The state of the page, as in its address. Callers without the permission \`unmasked\` see \`****\` instead of the values of conditions on masked fields. At most ${viewLimits.stateBytes} bytes of JSON.`,
  examples: [{ columns: ['EMAIL', 'CITY'] }],
});
const shared = Type.Boolean({
  default: false,
  description:
    'True: everyone in the account sees the view. Needs the permission `segments:write`. Required for callers that are not people. Default: false.',
});

/** Body of view creation. */
export const CreateSavedViewBody = Type.Object(
  { name, page, state, shared: Type.Optional(shared) },
  { $id: 'CreateSavedViewBody', description: 'A page of the console with a name.', additionalProperties: false },
);

/** Body of view update. */
export const UpdateSavedViewBody = Type.Object(
  {
    name: Type.Optional(Type.String({ ...nameOptions, 'x-refuse-null': true })),
    state: Type.Optional(state),
    shared: Type.Optional(shared),
  },
  {
    $id: 'UpdateSavedViewBody',
    description: 'Changes of a saved view. Absent fields stay as they are.',
    additionalProperties: false,
    minProperties: 1,
  },
);

/** Query of listing saved views. */
export const ListSavedViewsQuery = Type.Object(
  {
    ...pageQueryProperties,
    page: Type.Optional(Type.String({ ...pageOptions, description: 'Only views of this page.' })),
  },
  { additionalProperties: false },
);

/** A saved view. */
export const SavedView = Type.Object(
  {
    view_id: Type.String({ format: 'uuid', examples: ['019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a13'] }),
    name,
    page,
    state,
    shared: Type.Boolean({ description: 'True: everyone in the account sees the view.' }),
    author: Type.String({ description: 'Who created it, as in the audit log.', examples: ['user:7'] }),
    version: Type.Integer({ description: 'Number of the change. The ETag is made of it.', examples: [1] }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'SavedView', description: 'A state of a console page with a name.' },
);

export type CreateSavedViewBody = Static<typeof CreateSavedViewBody>;
export type UpdateSavedViewBody = Static<typeof UpdateSavedViewBody>;
export type ListSavedViewsQuery = Static<typeof ListSavedViewsQuery>;
export type SavedView = Static<typeof SavedView>;
