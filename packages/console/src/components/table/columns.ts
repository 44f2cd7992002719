import type { ReactNode } from 'react';

/** A column of a table. */
export interface DataColumn<Row> {
  readonly id: string;
  readonly label: string;
  /** Shown in the header instead of the label. */
  readonly header?: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Width in pixels; default: 180. */
  readonly width?: number;
  /** Names the row: its cell is the link to the page of the row. */
  readonly isName?: boolean;
  /** Badges after the name, which are not part of the link. */
  readonly badge?: (row: Row) => ReactNode;
  /** Width in pixels when the table has too little room. Default: 140 for a column that grows, otherwise the width. */
  readonly minWidth?: number;
  /** Takes the rest of the width, and comes before the others when there is little room. */
  readonly grows?: boolean;
  /** Stays at the right edge, also when the columns before it do not fit. For the last column, with the actions. */
  readonly isPinned?: boolean;
  /** Numbers are at the end, so that their digits are in line. */
  readonly align?: 'end';
  /** Not shown unless it is chosen. */
  readonly isOptional?: boolean;
  /** Always shown. */
  readonly isFixed?: boolean;
  /** Whether the rows can be sorted by it. */
  readonly isSortable?: boolean;
}

const defaultWidth = 180;
const growingMinWidth = 140;

/**
 * Returns the least width of a table in pixels, and the tracks of its grid. When there is room, the
 * columns that grow get their widths first, because they hold the texts that name the rows.
 */
export function layoutOf<Row>(columns: readonly DataColumn<Row>[]): {
  readonly least: number;
  readonly template: string;
} {
  const sizes = columns.map(({ width = defaultWidth, minWidth, grows = false }) => {
    const least = Math.min(width, minWidth ?? (grows ? growingMinWidth : width));
    return { width, least, grows };
  });
  const least = sizes.reduce((sum, size) => sum + size.least, 0);
  const share = `(100% - ${least}px) / ${sizes.filter(({ grows }) => grows).length}`;
  const tracks = sizes.map((size) =>
    size.grows
      ? `minmax(clamp(${size.least}px, ${size.least}px + ${share}, ${size.width}px), 1fr)`
      : `minmax(${size.least}px, ${size.width}px)`,
  );
  return { least, template: tracks.join(' ') };
}

/** The order of the rows. */
export interface SortState {
  readonly column: string;
  readonly descending: boolean;
}

/** Tells whether a column is shown. `shown` are the chosen columns; undefined for the default. */
export function isVisible<Row>(
  { id, isFixed, isOptional }: DataColumn<Row>,
  shown: readonly string[] | undefined,
): boolean {
  return isFixed === true || (shown === undefined ? isOptional !== true : shown.includes(id));
}

/** Returns the order after a click on a column: ascending, descending, then the default again. */
export function nextSort(sort: SortState | undefined, column: string): SortState | undefined {
  if (sort?.column !== column) return { column, descending: false };
  return sort.descending ? undefined : { column, descending: true };
}

/** Width of a column with a date and a time, in both languages. */
export const momentWidth = 200;
