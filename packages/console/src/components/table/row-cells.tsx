import { memo, type ReactNode } from 'react';
import type { DataColumn } from './columns.ts';
import styles from './data-table.module.css';

/** The cells of one row. They are drawn again if the row or the columns change, not on scrolling. */
export const RowCells = memo(Cells) as typeof Cells;

function Cells<Row>({ row, columns }: { readonly row: Row; readonly columns: readonly DataColumn<Row>[] }): ReactNode {
  return columns.map((column) => (
    <div key={column.id} role="gridcell" className={styles.cell} data-align={column.align}>
      {column.cell(row)}
    </div>
  ));
}
