import { UnstyledButton } from '@mantine/core';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { nextSort, type DataColumn, type SortState } from './columns.ts';
import styles from './data-table.module.css';

/** The header of a column. A sortable column has a button that changes the order. */
export function ColumnHeader<Row>({
  column,
  sort,
  onSort,
}: {
  readonly column: DataColumn<Row>;
  readonly sort: SortState | undefined;
  readonly onSort: ((sort: SortState | undefined) => void) | undefined;
}): ReactNode {
  const isSorted = sort?.column === column.id;
  const isSortable = column.isSortable === true && onSort !== undefined;
  const Icon = isSorted ? (sort.descending ? ArrowDown : ArrowUp) : ChevronsUpDown;
  return (
    <div
      role="columnheader"
      className={styles.cell}
      data-align={column.align}
      data-pinned={column.isPinned}
      aria-sort={!isSortable ? undefined : isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none'}
    >
      {isSortable ? (
        <UnstyledButton className={styles.sort} onClick={() => onSort(nextSort(sort, column.id))}>
          <span className={styles.label}>{column.label}</span>
          <Icon size={12} aria-hidden opacity={isSorted ? 1 : 0.5} />
        </UnstyledButton>
      ) : (
        (column.header ?? <span className={styles.label}>{column.label}</span>)
      )}
    </div>
  );
}
