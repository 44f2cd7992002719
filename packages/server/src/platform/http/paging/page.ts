import { isStorable, pageLimits, type Page } from '@roster/contract';
import { invalidField } from '#platform/errors/api-error.ts';

/** The position of a row in its listing: the numbers by which the listing is sorted. */
export type Position = readonly number[];

/** A position in a listing that is also sorted by texts. */
export type MixedPosition = readonly (number | string)[];

/** The largest value of each number of a position, and `text` for each text. */
export type PositionBounds = readonly (number | 'text')[];

/** The query fields of a page. */
export interface PageRequest {
  /** Default 50. */
  readonly limit?: number | undefined;
  /** Default: the first page. */
  readonly cursor?: string | undefined;
}

/** How to read a listing page by page. */
export interface Listing<Row, View, At extends MixedPosition = Position> {
  /** Largest value of each number of a position. Cursors with larger values are refused. */
  readonly bounds: PositionBounds;
  /** Name of the query field with the cursor, for error messages; default `cursor`. */
  readonly cursorField?: string;
  /** Loads at most `limit` rows after a position (undefined: from the start), in order. */
  load(after: At | undefined, limit: number): Promise<readonly Row[]>;
  position(row: Row): At;
  view(row: Row): View;
  /**
   * True: rows can have megabytes, such as a filter. Then they are loaded a few at a time, and the
   * page ends early after {@link pageCharacters}.
   */
  readonly hasLargeRows?: boolean;
}

/** Characters of JSON after which a page of large rows ends. */
export const pageCharacters = 4 * 1024 * 1024;

/** Large rows to load at a time. */
const largeRows = 10;

/**
 * Reads one page of a listing.
 *
 * The cursor is the position of the last row. So each remaining row appears exactly once, even if
 * rows are added or removed between two pages. Throws `invalid_request` for an invalid cursor.
 */
export async function pageOf<Row, View, At extends MixedPosition = Position>(
  query: PageRequest,
  listing: Listing<Row, View, At>,
): Promise<Page<View>> {
  const limit = query.limit ?? pageLimits.default;
  const after =
    query.cursor === undefined
      ? undefined
      : // The bounds of the listing describe its positions.
        (decodeMixedCursor(query.cursor, listing.bounds, listing.cursorField) as At);
  if (listing.hasLargeRows === true) return largePageOf(listing, after, limit);
  // One more row tells whether there is another page.
  const rows = await listing.load(after, limit + 1);
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1) : undefined;
  return {
    data: data.map((row) => listing.view(row)),
    next_cursor: last === undefined ? null : encodeCursor(listing.position(last)),
  };
}

/** Reads a page that ends at `limit` rows, or after the row that exceeds {@link pageCharacters}. */
async function largePageOf<Row, View, At extends MixedPosition>(
  listing: Listing<Row, View, At>,
  start: At | undefined,
  limit: number,
): Promise<Page<View>> {
  const data: View[] = [];
  let [after, characters] = [start, 0];
  for (;;) {
    const wanted = Math.min(largeRows, limit + 1 - data.length);
    const rows = await listing.load(after, wanted);
    for (const row of rows) {
      const isFull = data.length === limit || characters > pageCharacters;
      if (isFull) return { data, next_cursor: encodeCursor(after!) };
      const view = listing.view(row);
      characters += JSON.stringify(view).length;
      data.push(view);
      after = listing.position(row);
    }
    if (rows.length < wanted) return { data, next_cursor: null };
  }
}

/** Writes a position as a cursor. */
export function encodeCursor(position: MixedPosition): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Reads a cursor of {@link encodeCursor}; throws `invalid_request` when it is invalid. */
export function decodeCursor(cursor: string, bounds: Position): Position {
  return decodeMixedCursor(cursor, bounds) as Position;
}

function decodeMixedCursor(cursor: string, bounds: PositionBounds, field = 'cursor'): MixedPosition {
  const position = parse(cursor);
  const valid =
    Array.isArray(position) &&
    position.length === bounds.length &&
    position.every((part, at) => fits(part, bounds[at]!));
  if (!valid) throw invalidField('invalid_format', field, 'must be the next_cursor of an earlier response, unchanged');
  return position as MixedPosition;
}

function fits(part: unknown, bound: number | 'text'): boolean {
  if (bound === 'text') return typeof part === 'string' && isStorable(part);
  return Number.isSafeInteger(part) && (part as number) >= 0 && (part as number) <= bound;
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
