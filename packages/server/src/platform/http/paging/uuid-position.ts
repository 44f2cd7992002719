import type { Page } from '@roster/contract';
import { given } from '#platform/given.ts';
import { pageOf, type PageRequest, type Position } from './page.ts';

/** Bounds of the positions of a listing that is sorted by UUIDs. */
export const uuidBounds: Position = [2 ** 48 - 1, 2 ** 40 - 1, 2 ** 40 - 1];

/** Returns the position of a UUID: its 128 bits as three integers, each exact in a double. */
export function uuidPosition(uuid: string): Position {
  const digits = uuid.replaceAll('-', '');
  return [digits.slice(0, 12), digits.slice(12, 22), digits.slice(22)].map((part) => Number.parseInt(part, 16));
}

/** Returns the UUID at a position within {@link uuidBounds}. */
export function uuidAt([first, second, third]: Position): string {
  const digits = [hex(first!, 12), hex(second!, 10), hex(third!, 10)].join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** How to read a listing whose rows have time-ordered UUIDs, newest first. */
export interface NewestFirst<Row, View> {
  /** Loads at most `limit` rows with ids before `before` (undefined: from the newest). */
  load(before: string | undefined, limit: number): Promise<readonly Row[]>;
  idOf(row: Row): string;
  view(row: Row): View;
  /** See {@link Listing.hasLargeRows}. */
  readonly hasLargeRows?: boolean;
}

/** Reads one page of a listing that is sorted by time-ordered UUIDs; see {@link pageOf}. */
export async function newestPageOf<Row, View>(
  query: PageRequest,
  listing: NewestFirst<Row, View>,
): Promise<Page<View>> {
  return pageOf(query, {
    bounds: uuidBounds,
    load: (after, limit) => listing.load(after === undefined ? undefined : uuidAt(after), limit),
    position: (row) => uuidPosition(listing.idOf(row)),
    view: (row) => listing.view(row),
    ...given({ hasLargeRows: listing.hasLargeRows }),
  });
}

function hex(part: number, length: number): string {
  return part.toString(16).padStart(length, '0');
}
