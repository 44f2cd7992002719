import { useEffect, useRef, type RefObject } from 'react';

/** The path of the page that was shown last. */
let path: string | undefined;
/** Whether the person has gone to another page. At first, the focus is at the link to the content. */
let hasMoved = false;

/**
 * Sets the title of the tab, and gives the focus to the heading of a page that a person has gone to. So a screen reader says where
 * the person is, and the next Tab key comes to the content. A page that has given the focus to
 * something else keeps it there.
 */
export function useArrival(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Roster`;
    const isNew = location.pathname !== path;
    hasMoved ||= isNew && path !== undefined;
    path = location.pathname;
    const element = heading.current;
    if (!hasMoved || element === null) return;
    // A link of the menu keeps the focus, and a dialog that closes still has it.
    const isElsewhere = element.closest('main')?.contains(document.activeElement) !== true;
    if (isNew ? isElsewhere : isFocusFree()) element.focus({ preventScroll: true });
    // The heading changes when the data of the page comes.
  }, [title]);
  return heading;
}

/** Tells whether the focus is on nothing that a person works with. */
export function isFocusFree(): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body || focused.tagName === 'H1';
}
