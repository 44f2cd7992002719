import type { SortState } from './columns.ts';

/** Reads the order of the rows from an address: the id of a column, with a leading `-` for descending. */
export function readSort(sort: string | undefined): SortState | undefined {
  if (sort === undefined) return undefined;
  return sort.startsWith('-') ? { column: sort.slice(1), descending: true } : { column: sort, descending: false };
}

/** Writes the order of the rows for an address. */
export function writeSort(sort: SortState | undefined): string | undefined {
  return sort === undefined ? undefined : `${sort.descending ? '-' : ''}${sort.column}`;
}
