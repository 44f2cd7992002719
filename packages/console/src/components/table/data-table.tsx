import {
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  tableFeatures,
  useTable,
  type RowData,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Center, Loader, Skeleton, Text } from '@mantine/core';
import { useEffect, useMemo, useRef, useState, type CSSProperties, type KeyboardEvent, type ReactNode } from 'react';
import { ErrorState } from '#components/states/error-state.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import { isVisible, type DataColumn, type SortState } from './columns.ts';
import { ColumnHeader } from './column-header.tsx';
import styles from './data-table.module.css';
import { RowCells } from './row-cells.tsx';
import type { TableRows } from './table-rows.ts';

const features = tableFeatures({ columnSizingFeature, columnVisibilityFeature });
const rowHeight = 36;
const defaultWidth = 180;

/** What {@link DataTable} shows. */
export interface DataTableProps<Row extends RowData> {
  /** The name of the table, for screen readers. */
  readonly label: string;
  readonly columns: readonly DataColumn<Row>[];
  /** The rows: {@link rowsOfPages} of an infinite query, or {@link rowsOfList} of an array. */
  readonly rows: TableRows<Row>;
  readonly rowId: (row: Row) => string;
  /** Opens a row, by a click or the Enter key. */
  readonly onOpen?: (row: Row) => void;
  /** Ids of the columns that are shown, from the address; undefined for the default. */
  readonly shown?: readonly string[] | undefined;
  readonly sort?: SortState | undefined;
  readonly onSort?: (sort: SortState | undefined) => void;
  /** Shown instead of the table when there are no rows. */
  readonly empty: ReactNode;
}

/**
 * A table over any number of rows. It renders only the visible rows, and loads the next page when
 * the end comes near. The header stays visible. Arrow keys, Page Up, Page Down, Home and End move
 * between rows; Enter opens the row.
 */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>): ReactNode {
  const { label, columns, rows, rowId, onOpen, shown, sort, onSort, empty } = props;
  const t = useTexts('common');
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);

  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return columns.map((column) =>
      helper.display({
        id: column.id,
        header: column.label,
        cell: ({ row }) => column.cell(row.original),
        size: column.width ?? defaultWidth,
      }),
    );
  }, [columns]);
  const columnVisibility = useMemo(
    () => Object.fromEntries(columns.map((column) => [column.id, isVisible(column, shown)])),
    [columns, shown],
  );
  const table = useTable({
    features,
    columns: definitions,
    data: rows.rows,
    getRowId: rowId,
    state: { columnVisibility },
  });
  const modelRows = table.getRowModel().rows;
  const visibleColumns = table.getVisibleLeafColumns();
  const width = visibleColumns.reduce((sum, column) => sum + column.getSize(), 0);
  const shownColumns = useMemo(() => columns.filter((column) => isVisible(column, shown)), [columns, shown]);
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const template = visibleColumns
    .map((column) =>
      byId.get(column.id)?.grows === true ? `minmax(${column.getSize()}px, 1fr)` : `${column.getSize()}px`,
    )
    .join(' ');

  const virtualizer = useVirtualizer({
    count: modelRows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingStart: rowHeight,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const first = items[0]?.index ?? 0;
  const { hasMore, isLoadingMore, loadMore, onVisible, error } = rows;
  useEffect(() => onVisible?.(first, last), [onVisible, first, last]);
  useEffect(() => {
    if (hasMore && !isLoadingMore && error === null && last >= modelRows.length - 50) loadMore();
  }, [hasMore, isLoadingMore, error, last, modelRows.length, loadMore]);

  if (rows.isLoading) return <LoadingTable columns={Math.min(6, visibleColumns.length)} />;
  if (error !== null && modelRows.length === 0) return <ErrorState error={error} onRetry={rows.retry} />;
  if (modelRows.length === 0) return empty;

  function moveTo(index: number): void {
    const next = Math.max(0, Math.min(modelRows.length - 1, index));
    setActive(next);
    virtualizer.scrollToIndex(next);
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus());
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>, index: number): void {
    if (event.target !== event.currentTarget) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + page,
      PageUp: index - page,
      Home: 0,
      End: modelRows.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      moveTo(target);
    } else if (event.key === 'Enter' && onOpen !== undefined) {
      event.preventDefault();
      onOpen(modelRows[index]!.original);
    }
  }

  const line: CSSProperties = { gridTemplateColumns: template, minWidth: width };
  const activeRow = Math.min(active, modelRows.length - 1);
  return (
    <div className={styles.frame}>
      <div ref={scroller} className={styles.scroller} data-refreshing={rows.isRefreshing || undefined}>
        <div
          role="grid"
          aria-label={label}
          aria-rowcount={hasMore ? -1 : modelRows.length + 1}
          aria-colcount={visibleColumns.length}
          aria-readonly="true"
        >
          <div role="row" aria-rowindex={1} className={styles.head} style={line}>
            {visibleColumns.map((column) => (
              <ColumnHeader key={column.id} column={byId.get(column.id)!} sort={sort} onSort={onSort} />
            ))}
          </div>
          <div role="rowgroup" className={styles.body} style={{ height: virtualizer.getTotalSize(), minWidth: width }}>
            {items.map((item) => {
              const row = modelRows[item.index]!;
              return (
                <div
                  key={row.id}
                  role="row"
                  aria-rowindex={item.index + 2}
                  data-row={item.index}
                  data-opens={onOpen !== undefined || undefined}
                  // Only one row is in the order of the Tab key. A focused row must stay in the page.
                  tabIndex={item.index === activeRow || (item === items[0] && !isInside(items, activeRow)) ? 0 : -1}
                  className={styles.row}
                  style={{ ...line, transform: `translateY(${item.start}px)` }}
                  onFocus={() => setActive(item.index)}
                  onKeyDown={(event) => onKeyDown(event, item.index)}
                  onClick={(event) => {
                    if (onOpen !== undefined && !isOnControl(event.target, event.currentTarget)) onOpen(row.original);
                  }}
                >
                  <RowCells row={row.original} columns={shownColumns} />
                </div>
              );
            })}
          </div>
        </div>
        {error !== null && <ErrorState error={error} onRetry={loadMore} />}
      </div>
      <div className={styles.foot} role="status">
        {isLoadingMore ? (
          <Center inline>
            <Loader size={12} mr="xs" aria-hidden /> {t('table.loadingMore')}
          </Center>
        ) : (
          <Text component="span" inherit>
            {t(hasMore ? 'table.more' : 'table.end', {
              count: modelRows.length,
              formatted: formatNumber(modelRows.length),
            })}
          </Text>
        )}
      </div>
    </div>
  );
}

const isInside = (items: readonly { readonly index: number }[], index: number): boolean =>
  items.some((item) => item.index === index);

/** Tells whether a click was on a link or control of a row, in a menu that it opened, or selected text. */
function isOnControl(target: EventTarget, row: Element): boolean {
  // React passes on clicks in menus and dialogs of the row, which are elsewhere in the document.
  if (!row.contains(target as Element)) return true;
  const control = (target as Element).closest('a, button, input, label, [role="checkbox"], [role="menuitem"]');
  return (control !== null && row.contains(control)) || getSelection()?.type === 'Range';
}

function LoadingTable({ columns }: { readonly columns: number }): ReactNode {
  return (
    <div className={styles.frame} aria-busy="true">
      {Array.from({ length: 10 }, (_, row) => (
        <div key={row} className={styles.loading}>
          {Array.from({ length: columns }, (_, column) => (
            <Skeleton key={column} height={12} width={`${55 + ((row * 7 + column * 13) % 40)}%`} />
          ))}
        </div>
      ))}
    </div>
  );
}
