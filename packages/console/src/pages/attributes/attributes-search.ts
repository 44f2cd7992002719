import type { SortState } from '#components/table/columns.ts';

/** The attributes that every account has, or those that the account has created. */
export type AttributeGroup = 'standard' | 'own';

/** The columns by which the attributes can be sorted. */
const sortColumns = ['name', 'type', 'filled'] as const;

/** The state of the page of attributes in its address. */
export interface AttributesSearch {
  /** Only attributes whose name contains this. */
  readonly find?: string;
  readonly group?: AttributeGroup;
  /** Id of a column, with a leading `-` for descending; absent for the order of creation. */
  readonly sort?: string;
}

/** Reads the address of the page of attributes. */
export function readAttributesSearch({ find, group, sort }: Record<string, unknown>): AttributesSearch {
  return {
    // An address with digits only is read as a number.
    ...((typeof find === 'string' || typeof find === 'number') && find !== '' && { find: String(find).slice(0, 64) }),
    ...((group === 'standard' || group === 'own') && { group }),
    ...(typeof sort === 'string' && readSort(sort) !== undefined && { sort }),
  };
}

/** Reads the order of the rows. */
export function readSort(sort: string | undefined): SortState | undefined {
  const column = sort?.replace(/^-/, '');
  if (column === undefined || !(sortColumns as readonly string[]).includes(column)) return undefined;
  return { column, descending: sort!.startsWith('-') };
}

/** Writes the order of the rows. */
export function writeSort(sort: SortState | undefined): string | undefined {
  return sort === undefined ? undefined : `${sort.descending ? '-' : ''}${sort.column}`;
}
