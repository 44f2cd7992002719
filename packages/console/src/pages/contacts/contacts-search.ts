/** The state of the page of contacts in its address. */
export interface ContactsSearch {
  /** See `filter-address.ts`. It is read by the page, which says if it is damaged. */
  readonly filter?: unknown;
  /** Ids of the shown columns, separated by commas; absent for the default. */
  readonly columns?: string;
  /** Id of a column, with a leading `-` for descending; absent for the newest first. */
  readonly sort?: string;
  /** Whether the filter builder is open. */
  readonly build?: boolean;
  /** Whether the person wants to make a segment. */
  readonly segment?: boolean;
}

/** Reads the address of the page of contacts. */
export function readContactsSearch(search: Record<string, unknown>): ContactsSearch {
  const { filter, columns, sort, build, segment } = search;
  return {
    ...(filter !== undefined && { filter }),
    ...(typeof columns === 'string' && columns !== '' && { columns }),
    ...(typeof sort === 'string' && /^-?[\w.]+$/.test(sort) && { sort }),
    ...(build === true && { build }),
    ...(segment === true && { segment }),
  };
}
