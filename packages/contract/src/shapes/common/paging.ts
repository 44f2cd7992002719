import { Type, type Static } from 'typebox';

/** Default and maximum number of rows on a page of the operator API. */
export const pageLimits = { default: 50, max: 500 } as const;

/** Largest PostgreSQL integer. Most ids have this type. */
export const maxInteger = 2_147_483_647;

/** Query parameters of every list operation of the operator API. */
export const pageQueryProperties = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pageLimits.max,
      default: pageLimits.default,
      description: `Rows on a page. Default: ${pageLimits.default}.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      'x-blank-is-absent': true,
      description: '`next_cursor` of the previous page. The next page begins after its last row.',
    }),
  ),
};

/** The query of a list operation without filters. */
export const PageQuery = Type.Object(pageQueryProperties, { additionalProperties: false });

/** `next_cursor` of an answer. */
export const nextCursor = Type.Union([Type.String(), Type.Null()], {
  description:
    'Cursor of the next page, or null on the last page. A page of long rows can have fewer rows than `limit` and still have a next page.',
});

/**
 * Makes the shape of the answer of a list operation. `thing` is the `$id` of the shape of a row.
 */
export function pageAnswer(thing: string) {
  return Type.Object({ data: Type.Array(Type.Ref(thing)), next_cursor: nextCursor });
}

export type PageQuery = Static<typeof PageQuery>;

/** A page of rows in an answer. */
export interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}
