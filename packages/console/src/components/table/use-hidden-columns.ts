import { useLayoutEffect, type RefObject } from 'react';

/**
 * Marks the edges of a table behind which it has more columns. Its styles show a shadow there. The
 * marks are on the parent of the scroller, and are set without drawing the table again. Call it when
 * the table scrolls.
 */
export function markHiddenColumns(scroller: HTMLElement): void {
  const { scrollLeft, scrollWidth, clientWidth, offsetWidth, parentElement: view } = scroller;
  const pinned = scroller.querySelector<HTMLElement>('[role="columnheader"][data-pinned]')?.offsetWidth ?? 0;
  // Positions can be fractions of a pixel.
  view!.toggleAttribute('data-hidden-start', scrollLeft >= 1);
  view!.toggleAttribute('data-hidden-end', scrollLeft + clientWidth < scrollWidth - 1);
  // The shadow is before the pinned column and the scroll bar.
  view!.style.setProperty('--hidden-edge', `${pinned + offsetWidth - clientWidth}px`);
}

/** Keeps the marks of {@link markHiddenColumns} true while the table or its columns change. */
export function useHiddenColumns(scroller: RefObject<HTMLElement | null>, isShown: boolean): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!isShown || element === null) return;
    markHiddenColumns(element);
    const observer = new ResizeObserver(() => markHiddenColumns(element));
    observer.observe(element);
    // The header is as wide as all columns.
    observer.observe(element.querySelector('[role="row"]')!);
    return () => observer.disconnect();
  }, [scroller, isShown]);
}
