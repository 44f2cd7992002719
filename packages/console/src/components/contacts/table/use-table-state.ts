import { useMemo } from 'react';
import { useFilterSources } from '#components/filter/filter-sources.tsx';
import { findField, isSortable } from '#components/filter/model/fields.ts';
import type { SortState } from '#components/table/columns.ts';
import { readSort } from '#components/table/sort-address.ts';
import { mostColumns } from '../contact-search.ts';

/**
 * Returns the columns and the order of a table of contacts, as the address has them: `columns` are
 * ids, separated by commas. What does not exist, or cannot be sorted by, is left out.
 */
export function useTableState({
  columns,
  sort,
}: {
  readonly columns?: string | undefined;
  readonly sort?: string | undefined;
}): { readonly shown: readonly string[] | undefined; readonly sort: SortState | undefined } {
  const { fields } = useFilterSources();
  return useMemo(() => {
    const given = readSort(sort);
    const field = given === undefined ? undefined : findField(fields, given.column);
    return {
      shown: columns
        ?.split(',')
        .filter((id) => fields.byName.has(id))
        .slice(0, mostColumns),
      sort: field !== undefined && isSortable(field) ? { ...given!, column: field.name } : undefined,
    };
  }, [columns, sort, fields]);
}
