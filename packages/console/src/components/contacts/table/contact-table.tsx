import { Button } from '@mantine/core';
import { UserRoundSearch } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { useFilterSources } from '#components/filter/filter-sources.tsx';
import { toAddress } from '#components/filter/model/filter-address.ts';
import type { FilterModel } from '#components/filter/model/filter.ts';
import { EmptyState } from '#components/states/empty-state.tsx';
import { isVisible, type DataColumn, type SortState } from '#components/table/columns.ts';
import { DataTable, type RowSelection } from '#components/table/data-table.tsx';
import { useTexts } from '#texts/use-texts.ts';
import type { Access } from '../access.ts';
import { BulkBar } from '../bulk/bulk-bar.tsx';
import { contactIdOf } from '../contact-search.ts';
import { LoadedRowsCheckbox, RowCheckbox, SelectionProvider, useSelection } from '../selection.tsx';
import { useContactRows, type ContactTableRow } from './use-contact-rows.ts';

/** What {@link ContactTable} shows. */
export interface ContactTableProps {
  readonly access: Access;
  readonly filter: FilterModel;
  /** All columns of the account; see `useContactColumns`. */
  readonly columns: readonly DataColumn<ContactTableRow>[];
  /** Ids of the shown columns; undefined for the default. */
  readonly shown: readonly string[] | undefined;
  readonly sort: SortState | undefined;
  readonly onSort: (sort: SortState | undefined) => void;
  /** Exact number of contacts; undefined until it is known. */
  readonly count: number | undefined;
  /** Exports all contacts that match the filter. */
  readonly onExport: () => void;
  /** Shown when no contact matches. */
  readonly empty?: ReactNode;
  readonly onClear?: () => void;
}

/** A table over the contacts that match a filter, with a selection and actions on it. */
export function ContactTable(props: ContactTableProps): ReactNode {
  const { access, filter, columns, shown, sort, onSort, count, onExport, empty, onClear } = props;
  const t = useTexts('filter');
  const { fields } = useFilterSources();
  const visible = useMemo(
    () => columns.filter((column) => isVisible(column, shown)).map(({ id }) => id),
    [columns, shown],
  );
  const rows = useContactRows(access, { filter, fields: visible, sort });
  const state = useSelection(JSON.stringify(toAddress(filter)));
  const canChange = access.can('contacts:write') || access.can('privacy:write') || access.can('export');
  const selectable = useMemo(() => {
    // The first value is the link to the contact.
    const named = columns.map((column) => (column.id === visible[0] ? { ...column, isName: true } : column));
    if (!canChange) return named;
    const name = fields.primaryKey === 'MOBILE' ? 'mobile' : 'email';
    const box: DataColumn<ContactTableRow> = {
      id: 'selection',
      label: t('table.selectAll'),
      header: <LoadedRowsCheckbox rows={rows.rows} />,
      width: 44,
      isFixed: true,
      cell: (row) => <RowCheckbox row={row} name={name} />,
    };
    return [box, ...named];
  }, [canChange, columns, visible, rows.rows, fields.primaryKey, t]);
  const selection: RowSelection<ContactTableRow> = {
    isSelected: ({ values }) => values !== undefined && state.isSelected(contactIdOf(values)),
    toggle({ values }) {
      if (values === undefined) return;
      const id = contactIdOf(values);
      state.toggle([id], !state.isSelected(id));
    },
  };
  return (
    <SelectionProvider value={state}>
      <DataTable
        label={t('table.label')}
        columns={selectable}
        rows={rows}
        rowId={({ index, values }) => (values === undefined ? `row-${index}` : String(contactIdOf(values)))}
        pageOf={({ values }) =>
          values === undefined ? undefined : `/accounts/${access.accountId}/contacts/${contactIdOf(values)}`
        }
        selection={canChange ? selection : undefined}
        shown={shown}
        sort={sort}
        onSort={onSort}
        empty={
          empty ?? (
            <EmptyState
              icon={UserRoundSearch}
              title={t('table.empty.title')}
              text={t('table.empty.text')}
              action={
                onClear !== undefined && (
                  <Button variant="default" onClick={onClear}>
                    {t('damaged.clear')}
                  </Button>
                )
              }
            />
          )
        }
      />
      {/* After the table, so that no row moves under the pointer when the first one is selected. */}
      {canChange && (
        <BulkBar
          access={access}
          filter={filter}
          state={state}
          count={count}
          columns={visible}
          onExportEveryone={onExport}
        />
      )}
    </SelectionProvider>
  );
}
