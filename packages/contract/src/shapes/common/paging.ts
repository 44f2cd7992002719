import { Type, type Static } from 'typebox';

/** Rows of a page of the operator API: default and most. */
export const pageLimits = { default: 50, max: 500 } as const;

/** Largest value of a PostgreSQL integer, which most ids are. */
export const maxInteger = 2_147_483_647;

/** Query fields of every listing of the operator API. */
export const pageQueryProperties = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pageLimits.max,
      default: pageLimits.default,
      description: `Rows a page; default ${pageLimits.default}.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      'x-blank-is-absent': true,
      description: '`next_cursor` of the page before; goes on after its last row.',
    }),
  ),
};

/** The query of a listing without filters. */
export const PageQuery = Type.Object(pageQueryProperties, { additionalProperties: false });

/** Where to go on: `next_cursor` of an answer. */
export const nextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'Cursor of the next page; null on the last one.',
});

/** The answer of a listing: a page of things, by the `$id` of their shape. */
export function pageAnswer(thing: string) {
  return Type.Object({ data: Type.Array(Type.Ref(thing)), next_cursor: nextCursor });
}

export type PageQuery = Static<typeof PageQuery>;

/** A page of rows as it is answered. */
export interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}
