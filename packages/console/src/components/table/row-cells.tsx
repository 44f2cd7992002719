import { memo, type ReactNode } from 'react';
import type { DataColumn } from './columns.ts';
import styles from './data-table.module.css';

/** The cells of one row. They are drawn again if the row or the columns change, not on scrolling. */
export const RowCells = memo(Cells) as typeof Cells;

function Cells<Row>({
  row,
  columns,
  href,
}: {
  readonly row: Row;
  readonly columns: readonly DataColumn<Row>[];
  /** The address of the page of the row, if it has one. The row handles the clicks. */
  readonly href: string | undefined;
}): ReactNode {
  return columns.map((column) => {
    const content =
      column.isName === true && href !== undefined ? (
        // The Enter key opens the row, so the link needs no step of the Tab key.
        <a href={href} tabIndex={-1} className={styles.link} data-row-link>
          {column.cell(row)}
        </a>
      ) : (
        column.cell(row)
      );
    const badge = column.badge?.(row);
    return (
      <div
        key={column.id}
        role="gridcell"
        className={styles.cell}
        data-align={column.align}
        data-pinned={column.isPinned}
      >
        {badge === undefined || badge === null ? (
          content
        ) : (
          <div className={styles.named}>
            <div className={styles.label}>{content}</div>
            {badge}
          </div>
        )}
      </div>
    );
  });
}
