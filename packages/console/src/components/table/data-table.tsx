import {
  columnVisibilityFeature,
  createColumnHelper,
  tableFeatures,
  useTable,
  type RowData,
} from '@tanstack/react-table';
import { useNavigate } from '@tanstack/react-router';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { Center, Loader, Skeleton, Text } from '@mantine/core';
import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { flushSync } from 'react-dom';
import { isFocusFree } from '#components/focus/use-arrival.ts';
import { ErrorState } from '#components/states/error-state.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import { isVisible, layoutOf, type DataColumn, type SortState } from './columns.ts';
import { ColumnHeader } from './column-header.tsx';
import styles from './data-table.module.css';
import { useEntryMemory } from './entry-memory.ts';
import { RowCells } from './row-cells.tsx';
import type { TableRows } from './table-rows.ts';
import { useCutText } from './use-cut-text.ts';
import { markHiddenColumns, useHiddenColumns } from './use-hidden-columns.ts';

const features = tableFeatures({ columnVisibilityFeature });
const rowHeight = 36;
/** Rows that are rendered before and after the visible ones. */
const overscan = 12;

/** The selection of a table. The controls in its rows must not be reached by the Tab key. */
export interface RowSelection<Row> {
  readonly isSelected: (row: Row) => boolean;
  readonly toggle: (row: Row) => void;
}

/** Where a person was in a table, in pixels and as the number of the row with the focus. */
interface Place {
  readonly top: number;
  readonly row: number | undefined;
}

/** What {@link DataTable} shows. */
export interface DataTableProps<Row extends RowData> {
  /** The name of the table, for screen readers. */
  readonly label: string;
  readonly columns: readonly DataColumn<Row>[];
  /** The rows: {@link useRowsOfPages} of an infinite query, or {@link useRowsOfList} of a list. */
  readonly rows: TableRows<Row>;
  readonly rowId: (row: Row) => string;
  /**
   * The page of a row, such as `/accounts/1/audiences/lists/7`; undefined until it is known. The cell
   * of the column with `isName` is a link to it. A click on the row or the Enter key opens it; with
   * the Ctrl key or the middle button, in a new tab.
   */
  readonly pageOf?: (row: Row) => string | undefined;
  /** Opens a row without a page of its own, by a click or the Enter key. */
  readonly onOpen?: (row: Row) => void;
  /** The text of the number of rows. Default: `3 rows`. */
  readonly countText?: (count: number) => string;
  /** Which rows are selected. The Space key selects a row or takes it out of the selection. */
  readonly selection?: RowSelection<Row> | undefined;
  /** Ids of the columns that are shown, from the address; undefined for the default. */
  readonly shown?: readonly string[] | undefined;
  readonly sort?: SortState | undefined;
  readonly onSort?: (sort: SortState | undefined) => void;
  /** Long texts are wrapped, and a row is as high as its texts. Default: each row is one line. */
  readonly wraps?: boolean;
  /** Shown instead of the table when there are no rows. */
  readonly empty: ReactNode;
}

/**
 * A table over any number of rows. It renders only the visible rows, and loads the next page when
 * the end comes near. The header stays visible. Arrow keys, Page Up, Page Down, Home and End move
 * between rows; Enter opens the row, and Space selects it. Where it has more columns than it shows,
 * there is a shadow: Arrow Left and Arrow Right scroll to them. Who comes back by the Back button is
 * at the same place again.
 */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>): ReactNode {
  const {
    label,
    columns,
    rows,
    rowId,
    pageOf,
    onOpen,
    countText,
    selection,
    shown,
    sort,
    onSort,
    wraps = false,
    empty,
  } = props;
  const t = useTexts('common');
  const navigate = useNavigate();
  const opens = pageOf !== undefined || onOpen !== undefined;
  const scroller = useRef<HTMLDivElement>(null);
  const { initial: place, remember } = useEntryMemory<Place>(`table ${label}`);
  const [active, setActive] = useState(place?.row ?? 0);
  const [hasFocus, setHasFocus] = useState(place?.row !== undefined);
  /** Until the place is found again. */
  const goesBack = useRef(place !== undefined);
  const rememberPlace = (row: number | undefined): void => remember({ top: scroller.current?.scrollTop ?? 0, row });

  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return columns.map((column) =>
      helper.display({
        id: column.id,
        header: column.label,
        cell: ({ row }) => column.cell(row.original),
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
  const shownColumns = useMemo(() => columns.filter((column) => isVisible(column, shown)), [columns, shown]);
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const { least: width, template } = useMemo(() => layoutOf(shownColumns), [shownColumns]);

  const activeRow = Math.min(active, modelRows.length - 1);
  const virtualizer = useVirtualizer({
    count: modelRows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    scrollPaddingStart: rowHeight,
    // A row with the focus stays in the page, also when it is not visible. Otherwise, the focus is lost.
    rangeExtractor: (range) => {
      const drawn = defaultRangeExtractor(range);
      return !hasFocus || activeRow < 0 || drawn.includes(activeRow)
        ? drawn
        : [...drawn, activeRow].toSorted((a, b) => a - b);
    },
  });
  const items = virtualizer.getVirtualItems();
  const first = Math.max(0, (virtualizer.range?.startIndex ?? 0) - overscan);
  const last = Math.max(0, Math.min(modelRows.length - 1, (virtualizer.range?.endIndex ?? 0) + overscan));
  const { hasMore, isLoadingMore, loadMore, onVisible, error } = rows;
  useEffect(() => onVisible?.(first, last), [onVisible, first, last]);
  useEffect(() => {
    if (hasMore && !isLoadingMore && error === null && last >= modelRows.length - 50) loadMore();
  }, [hasMore, isLoadingMore, error, last, modelRows.length, loadMore]);

  const isShown = !rows.isLoading && modelRows.length > 0;
  useHiddenColumns(scroller, isShown);
  useCutText(scroller, isShown);
  useLayoutEffect(() => {
    if (isShown && place !== undefined && goesBack.current) scroller.current!.scrollTop = place.top;
  }, [isShown, place]);
  useEffect(() => {
    if (!isShown || !goesBack.current) return;
    const row = place?.row === undefined ? undefined : Math.min(place.row, modelRows.length - 1);
    // The person may have gone elsewhere while the rows were loaded.
    const isFree = isFocusFree();
    if (row === undefined || !isFree) {
      goesBack.current = false;
      if (row !== undefined) setHasFocus(false);
      return;
    }
    // The table draws its rows a moment later than itself.
    const element = scroller.current?.querySelector<HTMLElement>(`[data-row="${row}"]`);
    if (element == null) return;
    goesBack.current = false;
    element.focus({ preventScroll: true });
  }, [isShown, place, modelRows.length, items]);

  if (rows.isLoading) return <LoadingTable columns={Math.min(6, visibleColumns.length)} />;
  if (error !== null && modelRows.length === 0) return <ErrorState error={error} onRetry={rows.retry} />;
  if (modelRows.length === 0) return empty;

  function moveTo(index: number): void {
    const next = Math.max(0, Math.min(modelRows.length - 1, index));
    // The row is rendered at once, so that the next key comes to it.
    flushSync(() => {
      setActive(next);
      setHasFocus(true);
    });
    scroller.current?.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus({ preventScroll: true });
    virtualizer.scrollToIndex(next);
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>, index: number): void {
    const isOnRow = event.target === event.currentTarget;
    // A check box that was clicked has the focus. It handles the Space key itself.
    const isOnBox =
      selection !== undefined && event.target instanceof HTMLInputElement && event.target.type === 'checkbox';
    if (!isOnRow && !isOnBox) return;
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
    } else if (event.key === 'Enter' && opens) {
      event.preventDefault();
      open(index, event.ctrlKey || event.metaKey);
    } else if (event.key === ' ' && selection !== undefined && isOnRow) {
      event.preventDefault();
      virtualizer.scrollToIndex(index);
      selection.toggle(modelRows[index]!.original);
    }
  }

  function open(index: number, inNewTab: boolean): void {
    const row = modelRows[index]!.original;
    const page = pageOf?.(row);
    if (page === undefined) {
      rememberPlace(index);
      onOpen?.(row);
    } else if (inNewTab) {
      window.open(hrefOf(page), '_blank', 'noopener');
    } else {
      rememberPlace(index);
      void navigate({ to: page });
    }
  }

  function onClick(event: MouseEvent<HTMLElement>, index: number): void {
    const { target, currentTarget, button } = event;
    const inNewTab = event.ctrlKey || event.metaKey || event.shiftKey || button === middle;
    if (currentTarget.contains(target as Element) && (target as Element).closest('[data-row-link]') !== null) {
      // The browser opens a new tab or window for a link.
      if (inNewTab) return;
      event.preventDefault();
    } else if (isOnControl(target, currentTarget)) return;
    open(index, inNewTab);
  }

  const line: CSSProperties = { gridTemplateColumns: template, minWidth: width };
  return (
    <div className={styles.frame}>
      <div className={styles.view}>
        <div
          ref={scroller}
          className={styles.scroller}
          // Without a name, the router scrolls any table that is at the same place in another page.
          data-scroll-restoration-id={`table ${label.replaceAll('"', '')}`}
          data-refreshing={rows.isRefreshing || undefined}
          onScroll={(event) => {
            rememberPlace(hasFocus ? activeRow : undefined);
            markHiddenColumns(event.currentTarget);
          }}
        >
          <div
            role="grid"
            aria-label={label}
            aria-rowcount={hasMore ? -1 : modelRows.length + 1}
            aria-colcount={visibleColumns.length}
            aria-readonly="true"
            aria-multiselectable={selection !== undefined || undefined}
          >
            <div role="row" aria-rowindex={1} className={styles.head} style={line}>
              {visibleColumns.map((column) => (
                <ColumnHeader key={column.id} column={byId.get(column.id)!} sort={sort} onSort={onSort} />
              ))}
            </div>
            <div
              role="rowgroup"
              className={styles.body}
              style={{ height: virtualizer.getTotalSize(), minWidth: width }}
            >
              {items.map((item) => {
                const row = modelRows[item.index]!;
                return (
                  <div
                    // The values of such a row can be loaded again. It keeps the focus then.
                    key={selection === undefined && onVisible === undefined ? row.id : item.index}
                    role="row"
                    aria-selected={selection?.isSelected(row.original)}
                    aria-rowindex={item.index + 2}
                    data-row={item.index}
                    ref={wraps ? virtualizer.measureElement : undefined}
                    // The place of its height.
                    data-index={wraps ? item.index : undefined}
                    data-wraps={wraps || undefined}
                    data-opens={opens || undefined}
                    // Only one row is in the order of the Tab key.
                    tabIndex={item.index === activeRow || (item === items[0] && !isInside(items, activeRow)) ? 0 : -1}
                    className={styles.row}
                    style={{ ...line, transform: `translateY(${item.start}px)` }}
                    onFocus={() => {
                      setActive(item.index);
                      setHasFocus(true);
                      rememberPlace(item.index);
                    }}
                    // The row keeps the focus while the person uses another window.
                    onBlur={(event) => setHasFocus(event.currentTarget.contains(document.activeElement))}
                    onKeyDown={(event) => onKeyDown(event, item.index)}
                    onClick={(event) => {
                      if (opens) onClick(event, item.index);
                    }}
                    onAuxClick={(event) => {
                      if (pageOf !== undefined && event.button === middle) onClick(event, item.index);
                    }}
                  >
                    <RowCells row={row.original} columns={shownColumns} href={hrefOf(pageOf?.(row.original))} />
                  </div>
                );
              })}
            </div>
          </div>
          {error !== null && <ErrorState error={error} onRetry={loadMore} />}
        </div>
      </div>
      <div className={styles.foot} role="status">
        {isLoadingMore ? (
          <Center inline>
            <Loader size={12} mr="xs" aria-hidden /> {t('table.loadingMore')}
          </Center>
        ) : (
          <Text component="span" inherit>
            {countText?.(modelRows.length) ??
              t(hasMore ? 'table.more' : 'table.end', {
                count: modelRows.length,
                formatted: formatNumber(modelRows.length),
              })}
          </Text>
        )}
      </div>
    </div>
  );
}

/** The number of the middle button of a mouse. */
const middle = 1;

/** Returns the address of a page for the browser. */
function hrefOf(page: string): string;
function hrefOf(page: string | undefined): string | undefined;
function hrefOf(page: string | undefined): string | undefined {
  return page === undefined ? undefined : `/console${page}`;
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
