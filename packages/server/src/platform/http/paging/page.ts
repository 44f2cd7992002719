import { pageLimits, type Page } from '@roster/contract';
import { invalidField } from '#platform/errors/api-error.ts';

/** The position of a row in its listing: the numbers by which the listing is sorted. */
export type Position = readonly number[];

/** The query fields of a page. */
export interface PageRequest {
  /** Default 50. */
  readonly limit?: number | undefined;
  /** Default: the first page. */
  readonly cursor?: string | undefined;
}

/** How to read a listing page by page. */
export interface Listing<Row, View> {
  /** Largest value of each number of a position. Cursors with larger values are refused. */
  readonly bounds: Position;
  /** Name of the query field with the cursor, for error messages; default `cursor`. */
  readonly cursorField?: string;
  /** Loads at most `limit` rows after a position (undefined: from the start), in order. */
  load(after: Position | undefined, limit: number): Promise<readonly Row[]>;
  position(row: Row): Position;
  view(row: Row): View;
}

/**
 * Reads one page of a listing.
 *
 * The cursor is the position of the last row. So each remaining row appears exactly once, even if
 * rows are added or removed between two pages. Throws `invalid_request` for an invalid cursor.
 */
export async function pageOf<Row, View>(query: PageRequest, listing: Listing<Row, View>): Promise<Page<View>> {
  const limit = query.limit ?? pageLimits.default;
  const after =
    query.cursor === undefined ? undefined : decodeCursor(query.cursor, listing.bounds, listing.cursorField);
  // One more row tells whether there is another page.
  const rows = await listing.load(after, limit + 1);
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1) : undefined;
  return {
    data: data.map((row) => listing.view(row)),
    next_cursor: last === undefined ? null : encodeCursor(listing.position(last)),
  };
}

/** Writes a position as a cursor. */
export function encodeCursor(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Reads a cursor of {@link encodeCursor}; throws `invalid_request` when it is invalid. */
export function decodeCursor(cursor: string, bounds: Position, field = 'cursor'): Position {
  const position = parse(cursor);
  const valid =
    Array.isArray(position) &&
    position.length === bounds.length &&
    position.every((part, at) => Number.isSafeInteger(part) && part >= 0 && part <= bounds[at]!);
  if (!valid) throw invalidField('invalid_format', field, 'must be the next_cursor of an earlier response, unchanged');
  return position as Position;
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
