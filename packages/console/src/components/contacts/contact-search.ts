import type { ContactPage, ContactRow, SearchContactsBody } from '@roster/client';
import { toSearchFilter, type FilterModel } from '#components/filter/model/filter.ts';
import type { SortState } from '#components/table/columns.ts';
import type { Access } from './access.ts';

/** What a table of contacts shows. */
export interface ContactQuery {
  readonly filter: FilterModel;
  /** Names of the fields. `contact_id` is always added. */
  readonly fields: readonly string[];
  /** Default: the newest contacts first. */
  readonly sort?: SortState | undefined;
}

/** Maximum number of columns of a table. A search returns 100 fields, and `contact_id` is one of them. */
export const mostColumns = 99;

/** Number of rows that are loaded at a time. */
export const rowsPerPage = 100;

/** Returns the body of the search for one page. */
export function searchBody({ filter, fields, sort }: ContactQuery, limit = rowsPerPage): SearchContactsBody {
  return {
    ...toSearchFilter(filter),
    output: {
      fields: [...new Set(['contact_id', ...fields])],
      ...(sort && { sorting: [{ field: sort.column, direction: sort.descending ? 'desc' : 'asc' }] }),
      pagination: { limit },
    },
  };
}

/** Loads one page of contacts. */
export async function loadPage(
  { account }: Access,
  query: ContactQuery,
  {
    cursor,
    limit,
    signal,
  }: { readonly cursor: string | undefined; readonly limit: number; readonly signal: AbortSignal },
): Promise<ContactPage> {
  return account.asApiKey.contacts.page(searchBody(query, limit), cursor, { signal });
}

/** Counts the contacts that match, exactly. */
export async function countContacts({ account }: Access, filter: FilterModel, signal?: AbortSignal): Promise<number> {
  return account.asApiKey.contacts.count(toSearchFilter(filter), { signal });
}

/** Returns the number of the contact of a row. */
export function contactIdOf(row: ContactRow): number {
  return Number(row['contact_id']);
}
